package dev.paddock.executor.remote.shell;

import java.util.Locale;

/**
 * Which children of a place's first process belong to a command, among those that are not known to
 * be anyone's.
 */
public enum OrphanPolicy {
    /** All of them came from commands: the place is ours. */
    ALL,
    /** Those that carry the command's marker; the rest is the place's own. */
    MARKED;

    /** Returns the word that the scripts know it by. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
