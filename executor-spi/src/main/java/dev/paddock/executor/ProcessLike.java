package dev.paddock.executor;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A command that an executor has started, on the host or in a sandbox.
 *
 * <p><b>The tree</b> is the command's process and every descendant. With the guarantee
 * {@link Guarantee#TREE_KILL} the executor reaches all of it; without, it reaches the descendants
 * that are still connected through the parent chain, the session, the process group or the marker.
 *
 * <p><b>Order of events.</b> {@link #onExit()} and {@link #onClosed()} differ as the events
 * {@code exit} and {@code close} of a Node.js child process do. {@code onExit} completes when the
 * main process has exited, even while another process holds its pipes open (C7). Then the executor
 * ends the processes that the command left running (C8), both streams reach their end, and
 * {@code onClosed} completes.
 *
 * <p><b>Streams</b> are blocking, unbuffered and independent of each other. Closing an input stream
 * early is allowed: the command then sees a broken pipe. They need not be closed after their end
 * has been read.
 *
 * @since 0.1
 */
public interface ProcessLike extends AutoCloseable {

    /**
     * Returns the command's standard output, byte for byte, with back-pressure: a reader that stops
     * reading blocks the writer (C6). With {@link SpawnOptions.Stderr#MERGED} the stream also
     * carries the command's standard error, in the order written.
     *
     * @return the same stream on each call; it ends when the tree has ended, or earlier when the
     *     last process that holds its write end closes it
     */
    InputStream stdout();

    /**
     * Returns the command's standard error. Empty with {@link SpawnOptions.Stderr#MERGED}.
     *
     * @return the same stream on each call
     */
    InputStream stderr();

    /**
     * Returns the command's standard input. It is already closed unless the options have
     * {@link SpawnOptions.Stdin#PIPE}; with a pipe, closing the stream is the command's end of
     * input (C5).
     *
     * @return the same stream on each call; writing to it after the command has closed its end
     *     throws {@link java.io.IOException}
     */
    OutputStream stdin();

    /**
     * Returns the main process's id in the command's own PID namespace: inside a container this is
     * not the host's number.
     *
     * @return the id, or empty where the executor does not know it
     */
    OptionalLong pid();

    /**
     * Sends a signal to the whole tree, inside the command's sandbox, and returns within 2 seconds
     * (C9). Never reaches the sandbox itself, another command, or the host. Processes that a
     * handler of the signal starts, to clean up for instance, do not receive it.
     *
     * @param signal the signal
     * @return true if at least one process could be signaled; false once the command has ended
     */
    boolean kill(Signal signal);

    /**
     * Changes the size of the command's terminal; the kernel then sends SIGWINCH to its foreground
     * process group. Returns within 2 seconds.
     *
     * @param columns characters in a line, 1 to {@value TerminalSize#MAX}
     * @param rows lines, 1 to {@value TerminalSize#MAX}
     * @return true if the terminal has the size; false once the command has ended, and for a command
     *     without a terminal
     * @throws IllegalArgumentException if the size is out of its range
     */
    default boolean resize(int columns, int rows) {
        var unused = new TerminalSize(columns, rows);
        return false;
    }

    /**
     * Returns the ports of the command that programs of this machine reach, each with this machine's port, which
     * is closed when {@link #onExit()} completes.
     *
     * @return in the order of {@link SpawnOptions#published()}; empty by default
     */
    default List<PublishedPort> published() {
        return List.of();
    }

    /**
     * Completes with the main process's status when that process has exited; like Node's
     * {@code exit}. Descendants may still run and the streams may still carry their output:
     * {@link #onClosed()} waits for those. Completes exceptionally only if the infrastructure
     * failed, and then with an {@link ExecutorException}, mostly a {@link SandboxLostException}.
     *
     * @return the same stage on each call
     */
    CompletionStage<ExitStatus> onExit();

    /**
     * Completes after {@link #onExit()}, when the executor has ended the processes that the command
     * left running, both streams have reached their end, and the executor has finished its cleanup
     * for the command; like Node's {@code close}. Always completes (C18), exceptionally only if
     * {@link #onExit()} does: a fault of the cleanup is a notice of the report.
     *
     * @return the same stage on each call; by default completes with {@link CleanupReport#NONE}
     *     together with {@link #onExit()}
     */
    default CompletionStage<CleanupReport> onClosed() {
        return onExit().thenApply(status -> CleanupReport.NONE);
    }

    /**
     * Waits for the exit of the main process.
     *
     * @param timeout how long at most; zero polls without waiting
     * @return its status; empty if it has not exited by then
     * @throws ExecutorException if the infrastructure failed, as {@link #onExit()} completes
     * @throws InterruptedException if the thread is interrupted; the command runs on
     */
    default Optional<ExitStatus> waitFor(Duration timeout) throws InterruptedException {
        try {
            return Optional.of(onExit().toCompletableFuture().get(timeout.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException late) {
            return Optional.empty();
        } catch (ExecutionException fault) {
            if (fault.getCause() instanceof ExecutorException lost) {
                throw lost;
            }
            throw new ExecutorException("the command's status is not known: " + fault.getCause(), fault);
        }
    }

    /**
     * Ends the command, if it still runs, with SIGKILL for its tree. Does not wait:
     * {@link #onClosed()} completes when it has ended. Idempotent; its streams need not be closed.
     */
    @Override
    default void close() {
        kill(Signal.KILL);
    }

    /**
     * Starts a JDK process for a command with the options' directory, environment and merging of
     * standard error, then adapts it with {@link #of}.
     *
     * <p>Of the JVM's environment the command receives {@code PATH}, {@code HOME}, {@code LANG},
     * {@code LC_*}, {@code TERM}, {@code TZ}, {@code USER}, {@code LOGNAME} and {@code SHELL} alone:
     * the others may hold credentials. The builder's own variables are added, then
     * {@link SpawnOptions#env()}, and a {@link CommandExecutor#MARKER}.
     *
     * @param builder the argument list, and variables of its own; modified, and owned by the caller
     * @param options the directory, environment, streams and signal of the command;
     *     {@link SpawnOptions#cwd()} is taken as a host path
     * @return the running process
     * @throws SpawnException if the directory is missing, the program cannot be started, or the
     *     options ask for a terminal, which the JDK cannot give
     * @throws AbortedException if the signal had already been aborted
     */
    static ProcessLike start(ProcessBuilder builder, SpawnOptions options) {
        return JdkProcess.start(builder, options, Set.of());
    }

    /**
     * Starts a JDK process as {@link #start(ProcessBuilder, SpawnOptions)} does, with more variables of
     * the JVM's environment.
     *
     * @param builder the argument list, and variables of its own; modified, and owned by the caller
     * @param options the directory, environment, streams and signal of the command
     * @param passed the names of the JVM's variables that the command receives, too
     * @return the running process
     * @throws SpawnException if the directory is missing, the program cannot be started, or the
     *     options ask for a terminal, which the JDK cannot give
     * @throws AbortedException if the signal had already been aborted
     */
    static ProcessLike start(ProcessBuilder builder, SpawnOptions options, Set<String> passed) {
        return JdkProcess.start(builder, options, passed);
    }

    /**
     * Adapts a JDK process that has already been started, and applies the options' signal, kill
     * grace and standard input to it.
     *
     * <p>A client whose command runs elsewhere, such as {@code docker exec}, {@code kubectl exec} or
     * {@code ssh}, ends alone: what it has started on the other side runs on. {@code DockerExecutor}
     * runs commands in a container, and {@code ChannelExecutor} wherever a stream of bytes leads.
     *
     * <p>The adapted process can do what the JDK can: send TERM and KILL only, to the process and
     * to the descendants that are still on its parent chain; it has no {@link Guarantee}. With
     * {@link SpawnOptions.Stderr#MERGED} the process must have been started with
     * {@link ProcessBuilder#redirectErrorStream()}; {@link #start} does that.
     *
     * @param process the process; the result owns it from now on
     * @param options the options it was started with; directory and environment are ignored
     * @return the adapted process
     * @throws SpawnException if the options ask for a terminal; the process remains the caller's
     */
    static ProcessLike of(Process process, SpawnOptions options) {
        return new JdkProcess(process, options);
    }

    /**
     * Starts a command as a {@link Process}, for a library that takes one.
     *
     * <p>{@code destroy} ends the command's tree as an abort of the options' signal does: by SIGTERM, and by
     * SIGKILL after the grace; {@code destroyForcibly} by SIGKILL. {@code pid} is the id of {@link #pid()}. There
     * is no {@link ProcessHandle}: {@code toHandle}, {@code info}, {@code children} and {@code descendants} throw
     * {@link UnsupportedOperationException}. A lost command makes {@code waitFor} and {@code exitValue} throw an
     * {@link ExecutorException}.
     *
     * @param executor runs the command
     * @param command the command string, as for {@link CommandExecutor#spawn}
     * @param options the directory, environment, streams and signal of the command; with {@link
     *     SpawnOptions.Stdin#PIPE} its input can be written
     * @return the running command
     * @throws ExecutorException as {@link CommandExecutor#spawn} does
     */
    static Process jdkProcess(CommandExecutor executor, String command, SpawnOptions options) {
        return CommandProcess.start(executor, command, options);
    }
}
