package dev.paddock.executor.process.launch;

import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.Signal;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A process that a {@link dev.paddock.executor.process.supervise.Supervisor} has started and waits for. It is either
 * supervised as a command by {@link dev.paddock.executor.process.supervise.Supervisor#supervise}, or discarded;
 * disposal discards the rest.
 *
 * @since 0.1
 */
public abstract sealed class ChildProcess permits NativeChild, JdkChild {
    private final long pid;

    /** Completed on the thread that waits for processes: dependent actions must run on another thread. */
    private final CompletableFuture<ExitStatus> ended = new CompletableFuture<>();

    private volatile Optional<Terminal> terminal = Optional.empty();

    ChildProcess(long pid) {
        this.pid = pid;
    }

    /** {@return the process's pid on the host} */
    public final long pid() {
        return pid;
    }

    /** {@return whether the process has exited} */
    public final boolean hasEnded() {
        return ended.isDone();
    }

    /**
     * Returns the process's standard output.
     *
     * @return the same stream on each call
     */
    public abstract InputStream stdout();

    /**
     * Returns the process's standard error; empty if it is merged.
     *
     * @return the same stream on each call
     */
    public abstract InputStream stderr();

    /**
     * Returns the process's standard input; closed if the launch did not ask for a pipe.
     *
     * @return the same stream on each call
     */
    public abstract OutputStream stdin();

    /**
     * Returns the JVM's end of a {@link ChildDescriptor.Reads}.
     *
     * @param number the descriptor's number on the process's side
     * @return the same stream on each call
     * @throws IllegalArgumentException if it has no such descriptor
     */
    public abstract OutputStream to(int number);

    /**
     * Returns the JVM's end of a {@link ChildDescriptor.Writes}.
     *
     * @param number the descriptor's number on the process's side
     * @return the same stream on each call
     * @throws IllegalArgumentException if it has no such descriptor
     */
    public abstract InputStream from(int number);

    /**
     * Makes a terminal the process's standard streams, on the JVM's side.
     *
     * @param opened the terminal, which then ends with the process's streams
     */
    public final void attach(Terminal opened) {
        terminal = Optional.of(opened);
    }

    /**
     * Returns the process's terminal.
     *
     * @return empty without a terminal
     */
    public final Optional<Terminal> terminal() {
        return terminal;
    }

    public final CompletableFuture<ExitStatus> ended() {
        return ended;
    }

    /**
     * Runs an action when the process has exited, at once if it already has. The action must be short, or hand its work
     * to another thread.
     */
    public final void whenEnded(BiConsumer<? super @Nullable ExitStatus, ? super @Nullable Throwable> action) {
        CompletableFuture<ExitStatus> unused = ended.whenComplete(action);
    }

    /** Signals the process alone; returns whether it existed. Its pid is not reused before {@link #release}. */
    public abstract boolean signal(Signal signal);

    /** Signals the process group, if the process leads one; returns whether it existed. */
    public abstract boolean signalGroup(Signal signal);

    public abstract boolean leadsSession();

    /** Returns whether the process runs or has not been reaped, so that its pid cannot have been reused. */
    public abstract boolean holdsNumber();

    /** Ends the streams after the end of the tree, even if another process still has the other side open. */
    public abstract void endStreams();

    /** Reaps the exited process, which releases its pid. */
    public abstract void release();
}
