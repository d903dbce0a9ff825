package dev.paddock.executor.process.table;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.Signal;
import dev.paddock.executor.process.io.Poller;
import dev.paddock.executor.process.posix.Errno;
import dev.paddock.executor.process.posix.NativeFault;
import dev.paddock.executor.process.posix.Posix;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process of this machine that need not be a child of this JVM, held by a descriptor: it stands for the process whatever
 * becomes of its number. Linux 5.3.
 *
 * <p>Closing lets go of it. Methods may be called from several threads; after closing they find no process.
 */
@SuppressWarnings("exports") // only modules that the C library is exported to use it
public final class PidfdProcess implements AutoCloseable {
    /** {@code RLIMIT_FSIZE}, in bytes. */
    public static final int LIMIT_FILE_SIZE = 1;

    /** {@code RLIMIT_NPROC}. */
    public static final int LIMIT_PROCESSES = 6;

    private static final Pattern VERSION = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})");

    private final long pid;
    private final Posix posix;
    private int descriptor;

    private PidfdProcess(long pid, Posix posix, int descriptor) {
        this.pid = pid;
        this.posix = posix;
        this.descriptor = descriptor;
    }

    /**
     * Takes hold of a process.
     *
     * @param pid its number on the host
     * @return the process, the caller's to close; empty if there is none, or none can be held here
     */
    public static Optional<PidfdProcess> open(long pid) {
        return Posix.instance().flatMap(posix -> {
            OptionalInt descriptor = posix.children().open(pid);
            return descriptor.isPresent()
                    ? Optional.of(new PidfdProcess(pid, posix, descriptor.getAsInt()))
                    : Optional.empty();
        });
    }

    /**
     * Whether {@link #exitStatus} can tell how a process ended that is no child of this JVM. Linux 6.15.
     *
     * @return true if this kernel can
     */
    public static boolean tellsExitStatus() {
        if (!isSince615(System.getProperty("os.version", ""))) {
            return false;
        }
        Optional<PidfdProcess> self = open(ProcessHandle.current().pid());
        try {
            // What only poses as a newer kernel does not know the question.
            return self.filter(held -> held.posix.foreign().isInspectable(held.descriptor))
                    .isPresent();
        } finally {
            self.ifPresent(PidfdProcess::close);
        }
    }

    static boolean isSince615(String version) {
        Matcher numbers = VERSION.matcher(version);
        if (!numbers.lookingAt()) {
            return false;
        }
        int major = Integer.parseInt(numbers.group(1));
        return major > 6 || (major == 6 && Integer.parseInt(numbers.group(2)) >= 15);
    }

    /**
     * The process's number.
     *
     * @return its number on the host; another's, maybe, once it has ended
     */
    public long pid() {
        return pid;
    }

    /**
     * Signals the process alone.
     *
     * @param signal the signal
     * @return whether it was there and may be signalled
     */
    public synchronized boolean signal(Signal signal) {
        return descriptor >= 0 && posix.children().signal(descriptor, Signals.toPlatform(signal));
    }

    /**
     * How the process ended, once its parent has waited for it.
     *
     * @return the exact status; empty before that, and where the kernel {@linkplain #tellsExitStatus does not tell}
     */
    public synchronized Optional<ExitStatus> exitStatus() {
        if (descriptor < 0) {
            return Optional.empty();
        }
        return posix.foreign()
                .exitOf(descriptor)
                .map(end -> end.exited()
                        ? new ExitStatus.Exited(end.number())
                        : new ExitStatus.Signaled(Signals.fromPlatform(end.number())));
    }

    /**
     * Waits for the process to end.
     *
     * @param bound how long at most
     * @return whether it has ended
     */
    public boolean awaitEnd(Duration bound) {
        int held;
        synchronized (this) {
            held = descriptor;
        }
        return held < 0 || posix.foreign().awaitEnd(held, bound);
    }

    /** Has a poller run something short when the process has ended; the watch has to be closed before this is. */
    public synchronized Poller.Watch watch(Poller poller, Runnable onEnd) throws NativeFault {
        return poller.watch(descriptor, Poller.Readiness.READABLE, onEnd);
    }

    /**
     * Puts the calling thread in the process's network namespace, and what it starts from then on. For a thread that does
     * nothing but launch. Linux 5.8; takes the right to administer both namespaces.
     *
     * @return why it cannot be had, "no such process" if it has ended; empty if the thread is there
     */
    public synchronized Optional<String> joinNetwork() {
        int error = descriptor < 0 ? Errno.ESRCH : posix.foreign().joinNetwork(descriptor);
        return error == 0 ? Optional.empty() : Optional.of(Errno.text(error));
    }

    /**
     * Limits a resource of the process, and of what it will start.
     *
     * @param resource one of the constants
     * @param limit the limit, both soft and hard; can only be lowered
     * @throws ExecutorException if the kernel refuses
     */
    public void limit(int resource, long limit) {
        int error = posix.foreign().limit(pid, resource, limit);
        if (error != 0) {
            throw new ExecutorException("resource " + resource + " of process " + pid
                    + " could not be limited to " + limit + ": "
                    + Errno.text(error));
        }
    }

    @Override
    public synchronized void close() {
        if (descriptor >= 0) {
            posix.descriptors().close(descriptor);
            descriptor = -1;
        }
    }
}
