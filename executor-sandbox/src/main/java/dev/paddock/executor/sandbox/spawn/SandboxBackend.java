package dev.paddock.executor.sandbox.spawn;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.process.warm.CommandRequest;
import dev.paddock.executor.sandbox.worktree.WorktreeGuard;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * Starts one kind of sandbox for a {@link SandboxedSpawner}, which owns the sequence in which a command is started.
 *
 * @param <P> the plan of a sandbox, everything that the policy compiles to; compared by {@code equals}
 */
public interface SandboxBackend<P> extends AutoCloseable {

    /**
     * Compiles the plan of the next command, from what is known without a long look at files.
     *
     * @return the plan
     */
    P plan();

    /**
     * Checks whether a plan still matches the files that it was compiled from. Called while the sandbox is being set up, so that
     * there is time for a longer look.
     *
     * @param plan a plan of this backend, made a moment ago
     * @return false if {@link #plan} now returns another one
     */
    default boolean stillHolds(P plan) {
        return true;
    }

    /**
     * Announces a command to the guard of the worktree.
     *
     * @param plan the command's plan
     * @return the command, not begun yet; empty if the sandbox protects no worktree
     */
    Optional<WorktreeGuard.Command> announce(P plan);

    /**
     * Checks whether a variable can be sent to a waiting sandbox, and reaches the command as it is.
     *
     * @param name the variable's name
     * @return false if the sandbox has to be started with it
     */
    default boolean passesExactly(String name) {
        return true;
    }

    /**
     * Starts a sandbox.
     *
     * @param plan its plan
     * @param environment variables that it is started with, besides its own
     * @param order the command, if it is known; the sandbox may take the command's directory and environment during its setup,
     *     see {@link WarmSlot#enter}, and executes nothing before {@link WarmSlot#release}
     * @return the sandbox, which is being set up
     * @throws IOException if it could not be started; nothing is left of it
     */
    StartingSandbox prepare(P plan, Map<String, String> environment, Optional<CommandRequest> order) throws IOException;

    /**
     * Whether commands have a sandbox around them, which the spawner follows to its end. If not, it returns a command's process as
     * it was released: to map its status would take another thread, about 0.1 ms.
     *
     * @return true, unless commands run on the host itself
     */
    default boolean hasSandbox() {
        return true;
    }

    /**
     * The exception for a sandbox that was started for one command and did not take it.
     *
     * @param fault what went wrong
     * @return the exception
     */
    ExecutorException failure(IOException fault);

    /** Ends every command, every sandbox and everything else that was started, and refuses to start more. */
    @Override
    void close();
}
