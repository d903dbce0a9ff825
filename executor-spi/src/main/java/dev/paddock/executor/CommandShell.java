package dev.paddock.executor;

/**
 * The shell that runs a command.
 *
 * @since 0.1
 */
public enum CommandShell {
    /** The executor's own: a POSIX {@code sh}, unless the executor was given another one. */
    OWN,
    /**
     * bash, if the system has one where the command runs; otherwise {@link #OWN}. An executor that was given a
     * shell of its own takes that.
     */
    BASH_IF_PRESENT,
    /** bash; where there is none, {@link SpawnException}, and nothing runs. */
    BASH
}
