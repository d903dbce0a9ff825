package dev.paddock.executor;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/**
 * A command that an executor has started, wherever it runs.
 *
 * <p><b>The tree</b> is the command's process and every descendant. What of it can be reached is the executor's guarantee
 * {@link Guarantee#TREE_KILL}; without it, what still hangs on the parent chain, the session, the process group or the
 * marker.
 *
 * <p><b>Order of events.</b> {@link #onExit()} and {@link #onClosed()} differ as the events {@code exit} and {@code close}
 * of a Node.js child process do. {@code onExit} completes when the main process has exited, even while another process holds
 * its pipes open (C7). Then the executor ends the processes that the command left running (C8), both streams reach their
 * end, and {@code onClosed} completes.
 *
 * <p><b>Streams</b> are blocking, unbuffered and independent of each other. Closing an input stream early is allowed: the
 * command then sees a broken pipe. They need not be closed after their end has been read.
 */
public interface ProcessLike {

    /**
     * What the command writes to its standard output, exact to the byte, with back-pressure: a reader that stops holds the
     * writer (C6). With {@link SpawnOptions.Stderr#MERGED} what it writes to standard error comes here as well, in the
     * order written.
     *
     * @return the same stream on each call; ends when the tree has ended, or earlier when its last holder closes it
     */
    InputStream stdout();

    /**
     * What the command writes to its standard error. Empty with {@link SpawnOptions.Stderr#MERGED}.
     *
     * @return the same stream on each call
     */
    InputStream stderr();

    /**
     * The command's standard input. Closed already unless {@link SpawnOptions.Stdin#PIPE} was asked for; then closing it
     * is the command's end of input (C5).
     *
     * @return the same stream on each call; writing to it after the command has closed its end throws
     *     {@link java.io.IOException}
     */
    OutputStream stdin();

    /**
     * The main process's id, as the command's own side numbers it: inside a container this is not the host's number.
     *
     * @return the id, or empty where the executor has none to tell
     */
    OptionalLong pid();

    /**
     * Sends a signal to the whole tree, on the command's own side, and returns within 2 seconds (C9). Never reaches the
     * sandbox itself, another command, or the host.
     *
     * @param signal the signal
     * @return true if something was there to signal; false once the command has ended
     */
    boolean kill(Signal signal);

    /**
     * Completes when the main process has exited, with its status; like Node's {@code exit}. Descendants may still run and
     * the streams may still carry their output: {@link #onClosed()} waits for those. Completes exceptionally only if the
     * infrastructure failed, and then with an {@link ExecutorException}, mostly a {@link SandboxLostException}.
     *
     * @return the same stage on each call
     */
    CompletionStage<ExitStatus> onExit();

    /**
     * Completes after {@link #onExit()}, when the executor has ended the processes that the command left running, nothing
     * more is written to the streams, and the executor has nothing more to do for the command; like Node's {@code close}.
     * Completes exceptionally if {@link #onExit()} does.
     *
     * @return the same stage on each call; by default completes with {@link CleanupReport#NONE} together with
     *     {@link #onExit()}
     */
    default CompletionStage<CleanupReport> onClosed() {
        return onExit().thenApply(status -> CleanupReport.NONE);
    }

    /**
     * Starts a JDK process for a command: directory, environment and merging as the options say, then {@link #of}.
     *
     * <p>The builder's own environment is what {@link SpawnOptions#env()} is laid over. {@link ProcessBuilder} starts with
     * all of the JVM's: clear it first unless the command may see that.
     *
     * @param builder the argument list, and the base environment; modified, and owned by the caller
     * @param options where and with what the command runs; {@link SpawnOptions#cwd()} is taken as a host path
     * @return the running process
     * @throws SpawnException if the directory is missing or the program cannot be started
     * @throws AbortedException if the signal was aborted already
     */
    static ProcessLike start(ProcessBuilder builder, SpawnOptions options) {
        return JdkProcess.start(builder, options);
    }

    /**
     * Adapts a JDK process that has been started already, and wires the options' signal, grace and standard input to it.
     *
     * <p>What it can promise is what the JDK can: TERM and KILL alone, to the process and those descendants that still
     * hang on its parent chain; no guarantee of {@link Guarantee}. With {@link SpawnOptions.Stderr#MERGED} the process
     * must have been started with {@link ProcessBuilder#redirectErrorStream()}; {@link #start} does that.
     *
     * @param process the process, owned by the result from now on
     * @param options the options it was started with; directory and environment are not looked at
     * @return the adapted process
     */
    static ProcessLike of(Process process, SpawnOptions options) {
        return new JdkProcess(process, options);
    }
}
