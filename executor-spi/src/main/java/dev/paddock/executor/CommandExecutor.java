package dev.paddock.executor;

import java.util.Set;

/**
 * Runs shell commands in one place: on the host, in a kernel sandbox, in a container.
 *
 * <p>An executor owns the command's directory check, its environment, its shell, its process tree, and the ending of that
 * tree. It does not know about timeouts, output limits or background shells: those belong to the session on top.
 *
 * <p>The interface has one abstract method, so that an executor can be a lambda:
 *
 * <pre>{@code
 * CommandExecutor plain = (command, options) ->
 *         ProcessLike.start(new ProcessBuilder("sh", "-c", "--", command), options);
 * }</pre>
 *
 * <p>Everything else has a safe default: an executor that says nothing about itself guarantees nothing and owns nothing.
 *
 * <p><b>Threads.</b> Every method may be called from any number of threads at once (C13).
 *
 * <p><b>Ownership.</b> Whoever creates an executor disposes of it; a session that was given one disposes of it at its end.
 */
@FunctionalInterface
public interface CommandExecutor extends AutoCloseable {

    /**
     * The environment variable that an executor adds to each command's environment, with a value unique to that command:
     * the one name that {@link SpawnOptions#env()} cannot set. Descendants inherit it, and so they can be found again when
     * they have left the process group and the parent chain.
     */
    String MARKER = "PADDOCK_COMMAND";

    /**
     * The longest command, in bytes of UTF-8: 1 MiB (C2).
     */
    int MAX_COMMAND_BYTES = 1 << 20;

    /**
     * Starts a command and returns at once, at most one round trip to the sandbox later; never waits for it to end (C1).
     *
     * <p>The command is a command string for the executor's shell, {@code sh} unless the executor says otherwise, and
     * reaches it exact to the byte, as UTF-8, whatever the JVM's locale (C2).
     *
     * @param command the command string, of 0 to {@value #MAX_COMMAND_BYTES} bytes of UTF-8, without NUL; an empty one
     *     does nothing and exits with 0
     * @param options where and with what it runs
     * @return the running command; the caller reads its streams, and the executor ends it at the latest when it is
     *     disposed of
     * @throws SpawnException if the command, the directory or the environment cannot be had; nothing has run
     * @throws AbortedException if {@link SpawnOptions#signal()} was aborted already; nothing has run
     * @throws SandboxUnavailableException if the place to run in cannot be had (C14); nothing has run, and nothing ever
     *     runs elsewhere instead
     * @throws SandboxLostException if the place was lost while the command was being handed over (C15)
     * @throws ExecutorDisposedException after {@link #dispose()}
     */
    ProcessLike spawn(String command, SpawnOptions options);

    /**
     * Ends every live command, then what the executor itself created (C11). Waits for that, 10 seconds at most.
     *
     * <p>Idempotent and safe to call concurrently: a second call waits for the first. Afterwards {@link #spawn} throws
     * {@link ExecutorDisposedException}. The default does nothing.
     *
     * @throws ExecutorException if something could not be ended in time; the message names what is left
     */
    default void dispose() {}

    /**
     * What this executor enforces by kernel or container, not by convention. Claimed guarantees are tested by the contract
     * suite, unclaimed ones are tested to be refused.
     *
     * @return the guarantees; constant over the executor's life; empty by default
     */
    default Set<Guarantee> guarantees() {
        return Set.of();
    }

    /**
     * The backend's short name, for people, logs and audit events: {@code "docker"}, {@code "bwrap"}, {@code "host"}.
     *
     * @return the name; {@code "custom"} by default
     */
    default String name() {
        return "custom";
    }

    /**
     * Does what {@link #dispose()} does.
     *
     * @throws ExecutorException as {@link #dispose()} does
     */
    @Override
    default void close() {
        dispose();
    }
}
