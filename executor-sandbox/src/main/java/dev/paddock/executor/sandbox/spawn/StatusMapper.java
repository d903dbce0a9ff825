package dev.paddock.executor.sandbox.spawn;

import dev.paddock.executor.ExitStatus;

/** Maps the exit status of a sandbox's process to the status that is reported for the command. */
@FunctionalInterface
public interface StatusMapper {

    /** Reports every status unchanged. */
    StatusMapper IDENTITY = status -> status;

    /**
     * Maps a status. May be called from any thread; throws nothing.
     *
     * @param status the status of the sandbox's process
     * @return the command's status
     */
    ExitStatus map(ExitStatus status);
}
