package dev.paddock.executor.sandbox.spawn;

import dev.paddock.executor.ExitStatus;

/** Maps the exit status of a sandbox's process to the command's status. */
@FunctionalInterface
public interface StatusMapper {

    StatusMapper IDENTITY = status -> status;

    /** Maps the status of the sandbox's process. Thread-safe; throws nothing. */
    ExitStatus map(ExitStatus status);
}
