package dev.paddock.executor;

import dev.paddock.executor.policy.PathMapping;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Runs shell commands on the host, in a kernel sandbox or in a container.
 *
 * <p>An executor owns the command's directory check, its environment, its shell, its process tree,
 * and the termination of that tree. {@link #run} adds time limits and bounded output; background
 * shells are the session's.
 *
 * <p>The interface has one abstract method, so that an executor can be a lambda:
 *
 * <pre>{@code
 * CommandExecutor plain = (command, options) ->
 *         ProcessLike.start(new ProcessBuilder("sh", "-c", "--", command), options);
 * }</pre>
 *
 * <p>Every other method has a safe default: an executor that does not override it guarantees
 * nothing and owns nothing. The lambda above does not end processes that a command leaves running;
 * {@code WrappedExecutor} of {@code executor-process} does, and is also one line.
 *
 * <p><b>Threads.</b> Every method may be called from any number of threads at once (C13).
 *
 * <p><b>Ownership.</b> The creator of an executor disposes of it; a session that received one
 * disposes of it when the session closes, unless it was lent.
 *
 * @since 0.1
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
     * Runs a command to its end, with its input, its output and its time limits. Returns after
     * the command has closed and its output has ended, or, if an escaped process keeps the pipe
     * open, after a short time without output.
     *
     * <p>Callbacks run one at a time, on the two threads of the run that read standard output and
     * standard error, and the command's output waits for them. The first exception of a callback
     * disables it; draining continues. After a timeout or an abort, a callback that has not returned
     * one second after the grace is interrupted, and the rest of the output is discarded.
     * Without either, a callback that never returns blocks this method until its caller is
     * interrupted or the signal is aborted.
     *
     * @param command the command string, as for {@link #spawn}
     * @param options the directory, environment, input, output and limits
     * @return the result, also of a command that failed, timed out, was aborted or lost
     * @throws ExecutorException as {@link #spawn} does; {@link SpawnException} also if the start
     *     exceeded its time, or the input or the output file cannot be opened
     * @throws InterruptedException if the thread is interrupted; the command has been aborted, and
     *     this method waited for its end, at most the grace plus a second
     */
    default CommandResult run(String command, RunOptions options) throws InterruptedException {
        return new CommandRun(this, command, options).run();
    }

    /**
     * Runs a command to its end in the {@linkplain #worktree() worktree}, with the defaults of
     * {@link RunOptions}: without input and without a time limit.
     *
     * @param command the command string, as for {@link #spawn}
     * @return the result, also of a command that failed or was lost
     * @throws ExecutorException as {@link #spawn} does; {@link SpawnException} also if the executor has no
     *     worktree
     * @throws InterruptedException if the thread is interrupted, as with {@link #run(String, RunOptions)}
     */
    default CommandResult run(String command) throws InterruptedException {
        PathMapping shared = worktree()
                .orElseThrow(() -> new SpawnException("the executor '" + name()
                        + "' has no worktree to run a command in: name a directory with RunOptions.in"));
        return run(command, RunOptions.in(shared.commandPath()));
    }

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
     * Returns whether {@link #dispose()} has been called. The executor then starts no command, and ends the
     * live ones or has ended them. A session that borrowed the executor asks this to learn whether disposal
     * ended a command.
     *
     * @return true from the beginning of the first disposal on; false by default
     */
    default boolean isDisposed() {
        return false;
    }

    /**
     * Returns the directory that the executor shares with its commands: a host directory, and its
     * path on the commands' side.
     *
     * @return the mapping; constant over the executor's life; empty by default, and where the
     *     executor does not know one or has several
     */
    default Optional<PathMapping> worktree() {
        return Optional.empty();
    }

    /**
     * Returns whether commands work on a copy of the worktree, whose changes are copied back only when a command
     * closes. A caller that reads the worktree then must wait for {@link ProcessLike#onClosed}, as {@link #run} does.
     *
     * @return false by default
     */
    default boolean copiesFiles() {
        return false;
    }

    /**
     * Returns, for messages, the files that an exited command has changed and that are not yet copied back, such as
     * {@code 'a', 'b' and 12 more}. Does not wait.
     *
     * @return empty if there is none or none is known yet, as by default
     */
    default Optional<String> awaitedFiles() {
        return Optional.empty();
    }

    /**
     * Returns whether the executor protects a file that no name of the policy covers, such as a hook that the
     * user's git configuration names. Commands cannot change it, and file tools must not write it.
     *
     * @param path a path of this machine, absolute and without links; the file need not exist
     * @return false by default
     */
    default boolean isKept(Path path) {
        return false;
    }

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
     * Returns the shells that commands may ask for by {@link SpawnOptions#shell()}. If {@link CommandShell#BASH} is
     * among them, every such command gets bash; with {@link CommandShell#BASH_IF_PRESENT} alone, that is known only
     * where the command runs.
     *
     * @return the shells; {@link CommandShell#OWN} alone by default
     */
    default Set<CommandShell> shells() {
        return Set.of(CommandShell.OWN);
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
     * Returns why this executor was chosen in place of a preferred one that cannot be used here.
     *
     * @return a sentence, for people and models; empty by default, if no preferred one was passed over
     */
    default Optional<String> fallback() {
        return Optional.empty();
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
