package dev.paddock.executor.remote.shell;

import java.util.Locale;

/** Which orphans (children of a remote system's first process of unknown origin) are attributed to a command. */
public enum OrphanPolicy {
    /** All come from commands: Paddock owns the remote system. */
    ALL,
    /** Those with the command's marker; the others belong to the remote system itself. */
    MARKED;

    /** Returns the scripts' word for the policy. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
