package dev.paddock.executor.sandbox.spawn;

import dev.paddock.executor.ExitStatus;

/** Turns the exit status of a sandbox's process into the status that the command is reported with. */
@FunctionalInterface
public interface StatusMapper {

    /** Reports every status as it is. */
    StatusMapper IDENTITY = status -> status;

    /**
     * Maps a status. May be called from any thread; throws nothing.
     *
     * @param status the status of the sandbox's process
     * @return the command's status
     */
    ExitStatus map(ExitStatus status);
}
