package dev.paddock.executor;

import java.util.Set;

/**
 * Runs shell commands on the host, in a kernel sandbox or in a container.
 *
 * <p>An executor owns the command's directory check, its environment, its shell, its process tree,
 * and the termination of that tree. It does not handle timeouts, output limits or background
 * shells: the session that uses the executor does.
 *
 * <p>The interface has one abstract method, so that an executor can be a lambda:
 *
 * <pre>{@code
 * CommandExecutor plain = (command, options) ->
 *         ProcessLike.start(new ProcessBuilder("sh", "-c", "--", command), options);
 * }</pre>
 *
 * <p>Every other method has a safe default: an executor that does not override it guarantees
 * nothing and owns nothing.
 *
 * <p><b>Threads.</b> Every method may be called from any number of threads at once (C13).
 *
 * <p><b>Ownership.</b> The creator of an executor disposes of it; a session that received one
 * disposes of it when the session closes.
 */
@FunctionalInterface
public interface CommandExecutor extends AutoCloseable {

    /**
     * The environment variable that an executor adds to each command's environment, with a value
     * unique to that command: {@link SpawnOptions#env()} cannot set this name. Descendants inherit
     * the variable, so that the executor can find them after they have left the process group and
     * the parent chain.
     */
    String MARKER = "PADDOCK_COMMAND";

    /**
     * The longest command, in bytes of UTF-8: 1 MiB (C2).
     */
    int MAX_COMMAND_BYTES = 1 << 20;

    /**
     * Starts a command and returns after at most one round trip to the sandbox; never waits for the
     * command to end (C1).
     *
     * <p>The command is a command string for the executor's shell, {@code sh} unless the executor
     * says otherwise, and reaches it byte for byte, as UTF-8, whatever the JVM's locale (C2).
     *
     * @param command the command string, of 0 to {@value #MAX_COMMAND_BYTES} bytes of UTF-8,
     *     without NUL; an empty one does nothing and exits with 0
     * @param options the directory, environment, streams and signal of the command
     * @return the running command; the caller reads its streams, and the executor ends it on
     *     disposal at the latest
     * @throws SpawnException if the command, the directory or the environment is invalid or
     *     unusable; nothing has run
     * @throws AbortedException if {@link SpawnOptions#signal()} had already been aborted; nothing
     *     has run
     * @throws SandboxUnavailableException if the sandbox is not available (C14); nothing has run,
     *     and the executor never runs the command elsewhere instead
     * @throws SandboxLostException if the sandbox was lost while it received the command (C15)
     * @throws ExecutorDisposedException after {@link #dispose()}
     */
    ProcessLike spawn(String command, SpawnOptions options);

    /**
     * Ends every live command, then removes the resources that the executor created (C11). Waits
     * for both, 10 seconds at most.
     *
     * <p>Idempotent and safe to call concurrently: a second call waits for the first. Afterwards
     * {@link #spawn} throws {@link ExecutorDisposedException}. The default does nothing.
     *
     * @throws ExecutorException if something could not be ended in time; the message names the
     *     remaining processes and resources
     */
    default void dispose() {}

    /**
     * Returns the guarantees that the kernel or the container enforces for this executor, not
     * convention. The contract suite tests that a claimed guarantee holds, and that a policy or
     * option that needs an unclaimed one is refused.
     *
     * @return the guarantees; constant over the executor's life; empty by default
     */
    default Set<Guarantee> guarantees() {
        return Set.of();
    }

    /**
     * Returns the backend's short name, for people, logs and audit events: {@code "docker"},
     * {@code "bwrap"}, {@code "host"}.
     *
     * @return the name; {@code "custom"} by default
     */
    default String name() {
        return "custom";
    }

    /**
     * Disposes of the executor, as {@link #dispose()} does.
     *
     * @throws ExecutorException as {@link #dispose()} does
     */
    @Override
    default void close() {
        dispose();
    }
}
