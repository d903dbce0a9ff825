package dev.paddock.executor.process.launch;

import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.Signal;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A process that a {@link dev.paddock.executor.process.supervise.Supervisor} has started and waits for. It is either made into a command by
 * {@link dev.paddock.executor.process.supervise.Supervisor#supervise}, or discarded; disposal discards what is left.
 */
public abstract sealed class ChildProcess permits NativeChild, JdkChild {
    private final long pid;

    /** Completed on the thread that waits for processes: whatever follows has to be handed to another one. */
    private final CompletableFuture<ExitStatus> ended = new CompletableFuture<>();

    ChildProcess(long pid) {
        this.pid = pid;
    }

    /**
     * The process's number on the host.
     *
     * @return the process id
     */
    public final long pid() {
        return pid;
    }

    /**
     * Whether the process has ended.
     *
     * @return true from its end on
     */
    public final boolean hasEnded() {
        return ended.isDone();
    }

    /**
     * What it writes to standard output.
     *
     * @return the same stream on each call
     */
    public abstract InputStream stdout();

    /**
     * What it writes to standard error; empty if that is merged.
     *
     * @return the same stream on each call
     */
    public abstract InputStream stderr();

    /**
     * Its standard input; closed if it was not asked for.
     *
     * @return the same stream on each call
     */
    public abstract OutputStream stdin();

    /**
     * Our end of a {@link ChildDescriptor.Reads}.
     *
     * @param number the descriptor's number on the process's side
     * @return the same stream on each call
     * @throws IllegalArgumentException if it has no such descriptor
     */
    public abstract OutputStream to(int number);

    /**
     * Our end of a {@link ChildDescriptor.Writes}.
     *
     * @param number the descriptor's number on the process's side
     * @return the same stream on each call
     * @throws IllegalArgumentException if it has no such descriptor
     */
    public abstract InputStream from(int number);

    public final CompletableFuture<ExitStatus> ended() {
        return ended;
    }

    /** Runs something when the process has ended, at once if it has; short, or handed to another thread. */
    public final void whenEnded(BiConsumer<? super @Nullable ExitStatus, ? super @Nullable Throwable> action) {
        CompletableFuture<ExitStatus> unused = ended.whenComplete(action);
    }

    /** Signals the process alone; whether it was there. Its number is its own until {@link #release}. */
    public abstract boolean signal(Signal signal);

    /** Signals the process's group, if it has one of its own; whether it was there. */
    public abstract boolean signalGroup(Signal signal);

    /** Whether it leads a session of its own. */
    public abstract boolean leadsSession();

    /** Whether the process's number cannot be another's yet: it runs, or nobody has waited for it. */
    public abstract boolean holdsNumber();

    /** The tree has ended: the streams come to their end, whoever holds the other side. */
    public abstract void endStreams();

    /** Gives the process's number back to the system, after its end. */
    public abstract void release();
}
