package dev.paddock.executor.remote.shell;

import java.util.Locale;

/**
 * Which orphans (children of a remote system's first process that are not known to belong to any command)
 * are attributed to a command.
 */
public enum OrphanPolicy {
    /** All of them come from commands: Paddock owns the remote system. */
    ALL,
    /** Those that carry the command's marker; the others belong to the remote system itself. */
    MARKED;

    /** Returns the word by which the scripts know the policy. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
