package dev.paddock.executor.sandbox.spawn;

import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.warm.CommandRequest;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A sandbox that is set up and waits for the one command that it will run. The {@link SandboxedSpawner} calls the
 * methods in the order of their declaration; after a failure it calls {@link #discard} and {@link #onEnd} instead of
 * the remaining ones.
 */
public interface WarmSlot {

    /**
     * Checks whether the sandbox has ended while it waited. The spawner then starts a cold one, and does not count it
     * as a failure of warm slots.
     *
     * @return by default false: {@link #release} fails if it has ended
     */
    default boolean hasEnded() {
        return false;
    }

    /**
     * Creates the mapper of the command's status. Called right before {@link #release}, so that it can compare
     * counters, such as the number of processes killed for lack of memory.
     */
    StatusMapper statusMapper();

    /**
     * Executes the command and supervises it.
     *
     * @param request the command
     * @param options its abort signal, grace period and streams
     * @return the command's process; the supervisor ends its tree when its main process has exited
     * @throws IOException if the sandbox has ended; the command has not been executed
     * @throws dev.paddock.executor.SandboxUnavailableException if the sandboxes have lost a shared resource; the
     *     command has not been executed, and the spawner runs it in a sandbox of the next plan
     * @throws dev.paddock.executor.SpawnException if the command cannot be executed, for example because its directory
     *     does not exist
     */
    ProcessLike release(CommandRequest request, SpawnOptions options) throws IOException;

    /**
     * Returns a stage for the exit of every process that could still change the worktree. The spawner then settles the
     * command. Called after the process's {@code onClosed}, and after {@link #discard}.
     *
     * @return completes normally, perhaps much later than {@code onClosed}: after the loss of a sandbox, or if a
     *     process is blocked in the kernel; by default complete: the process's tree has ended by then
     */
    default CompletionStage<?> onEnd() {
        return CompletableFuture.completedStage(true);
    }

    /**
     * Describes the processes that {@link #onEnd} waits for, for messages.
     *
     * @return their ids, if known
     */
    default String describe() {
        return "processes whose ids are not known";
    }

    /** Closes the sandbox's descriptors and other resources after every process has exited. */
    default void close() {}

    /** Ends a sandbox that runs no command, and closes its resources. Called at most once. */
    void discard();
}
