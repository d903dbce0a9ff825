package dev.paddock.executor.sandbox.spawn;

import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.warm.CommandRequest;
import java.io.IOException;

/**
 * A sandbox that is set up and waits for the one command that it will run. The
 * {@link SandboxedSpawner} calls the methods in the order of their declaration; after a failure it
 * calls {@link #discard} instead of the remaining ones.
 */
public interface WarmSlot {

    /**
     * Sends the sandbox the command's directory and environment, if it takes them before the
     * command. Returns without waiting for the sandbox, which executes nothing before
     * {@link #release}. A second call for the same command does nothing.
     *
     * @param request the command
     * @throws IOException if the sandbox has ended
     */
    void enter(CommandRequest request) throws IOException;

    /**
     * Creates the mapper of the command's status. Called right before {@link #release}, so that it
     * can compare counters, such as the number of processes that were killed for lack of memory.
     *
     * @return the mapper
     */
    StatusMapper statusMapper();

    /**
     * Executes the command and supervises it.
     *
     * @param request the command
     * @param options its abort signal, grace period and streams
     * @return the command's process; the supervisor ends its tree when its main process has exited
     * @throws IOException if the sandbox has ended; the command has not been executed
     * @throws dev.paddock.executor.SpawnException if the command cannot be executed, for example
     *     because its directory does not exist
     */
    ProcessLike release(CommandRequest request, SpawnOptions options) throws IOException;

    /**
     * Waits, for a few seconds at most, until no process of the sandbox is left. Called after the
     * command's tree was ended.
     *
     * @return false if the kernel still lists some
     */
    default boolean awaitEnd() {
        return true;
    }

    /** Closes the sandbox's descriptors and other resources after the command. */
    default void close() {}

    /** Ends a sandbox that runs no command, and closes its resources. Called at most once. */
    void discard();
}
