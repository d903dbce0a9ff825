package dev.paddock.executor.sandbox.spawn;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.PublishedPort;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.TerminalSize;
import dev.paddock.executor.network.Publication;
import dev.paddock.executor.worktree.WorktreeGuard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Sets up one kind of sandbox for a {@link SandboxedSpawner}, which owns the start sequence.
 *
 * @param <P> the plan of a sandbox, everything that the policy compiles to; compared by {@code equals}
 */
public interface SandboxBackend<P> extends AutoCloseable {

    /** Compiles the plan of the next command from data at hand, without a scan of files. */
    P plan();

    /**
     * Compiles the plan of the next command, and creates what its sandbox shares with others, which may take long the
     * first time.
     *
     * @param signal the command's abort signal; by default not needed
     * @throws dev.paddock.executor.AbortedException if the signal was aborted meanwhile
     */
    default P plan(AbortSignal signal) {
        return plan();
    }

    /**
     * Checks whether a plan still matches the files that it was compiled from. Called while the sandbox is being set
     * up, so that there is time to read more files.
     *
     * @param plan a recent plan of this backend
     * @return false if {@link #plan} would return another one
     */
    default boolean stillHolds(P plan) {
        return true;
    }

    /**
     * Announces a command to the guard of the worktree.
     *
     * @param plan the command's plan
     * @return the command, not yet begun; empty if the sandbox protects no worktree
     */
    Optional<WorktreeGuard.Command> announce(P plan);

    /**
     * Starts recording what a command that starts now is denied, for its report.
     *
     * @return called at the command's end, returns notices; none by default
     */
    default Supplier<List<String>> observe() {
        return List::of;
    }

    /**
     * Checks whether a variable can be sent to a warm slot and reaches the command unchanged.
     *
     * @param name the variable's name
     * @return false if the sandbox must be started with it
     * @throws dev.paddock.executor.SpawnException if the sandbox cannot pass it on at all
     */
    default boolean passesExactly(String name) {
        return true;
    }

    /**
     * Starts a sandbox that waits for a command.
     *
     * @param environment variables that it is started with, besides its own
     * @return the sandbox, whose setup continues
     * @throws IOException if it could not be started; nothing is left of it
     */
    StartingSandbox prepare(P plan, Map<String, String> environment) throws IOException;

    /**
     * Starts a sandbox for a command that the spawner releases as soon as the setup ends; by default as {@link
     * #prepare} does.
     *
     * @param environment variables that it is started with, besides its own
     * @return the sandbox, whose setup continues
     * @throws IOException if it could not be started; nothing is left of it
     */
    default StartingSandbox startCold(P plan, Map<String, String> environment) throws IOException {
        return prepare(plan, environment);
    }

    /**
     * Starts a sandbox for a command that has a terminal; by default as {@link #startCold} does, and {@link
     * WarmSlot#release} provides the terminal.
     *
     * @param environment variables that it is started with, besides its own
     * @param size the terminal's size
     * @return the sandbox, whose setup continues
     * @throws IOException if it could not be started; nothing is left of it
     */
    default StartingSandbox startWithTerminal(P plan, Map<String, String> environment, TerminalSize size)
            throws IOException {
        return startCold(plan, environment);
    }

    /**
     * Returns whether each command has a sandbox, which the spawner follows to its end. If not, the spawner returns the
     * command's process as the slot released it: mapping its status would take another thread, about 0.1 ms.
     *
     * @return true, unless commands run on the host itself
     */
    default boolean hasSandbox() {
        return true;
    }

    /**
     * Returns whether this backend's sandboxes give commands a terminal. If not, the spawner refuses options that ask
     * for one.
     *
     * @return false by default
     */
    default boolean hasTerminal() {
        return false;
    }

    /**
     * Refuses options that publish a port where {@link #publish} is unsupported.
     *
     * @param name the executor's name, for the message
     * @param options options that publish a port
     * @throws dev.paddock.executor.SpawnException by default: commands have this machine's network
     */
    default void requirePublishing(String name, SpawnOptions options) {
        options.refusePublishing(name);
    }

    /**
     * Publishes ports of a command that is about to start.
     *
     * @return the publication; closed at the command's end
     * @throws dev.paddock.executor.SpawnException for example if a port of this machine is in use
     */
    default Publication publish(P plan, List<PublishedPort> ports) {
        throw new IllegalStateException("this backend publishes no ports");
    }

    /**
     * Returns whether commands may not change a file, as the executor's {@code isKept} does.
     *
     * @param path a path of this machine
     * @return false by default
     */
    default boolean isKept(Path path) {
        return false;
    }

    /**
     * Returns whether a sandbox that failed to take its command may succeed a moment later: exiting processes may have
     * used up what the sandbox allows. The command was not executed.
     *
     * @param fault how it failed
     * @return false by default
     */
    default boolean maySucceedSoon(IOException fault) {
        return false;
    }

    /**
     * Returns the exception for a sandbox that was started for one command and failed to take it.
     *
     * @param fault the cause
     */
    ExecutorException failure(IOException fault);

    /** Ends every command, every sandbox and every other process of this backend, and refuses to start more. */
    @Override
    void close();
}
