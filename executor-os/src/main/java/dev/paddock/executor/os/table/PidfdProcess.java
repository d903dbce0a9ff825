package dev.paddock.executor.os.table;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.Signal;
import dev.paddock.executor.os.posix.Errno;
import dev.paddock.executor.os.posix.NativeFault;
import dev.paddock.executor.os.posix.Posix;
import dev.paddock.executor.os.stream.Poller;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A handle on any process of this machine, even one that is not a child of this JVM, by a pidfd, which refers to the
 * process even after its pid is reused. Linux 5.3.
 *
 * <p>Closing releases the pidfd. Thread-safe; after closing, methods behave as if the process had exited.
 *
 * @since 0.1
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
     * Opens a pidfd for a process.
     *
     * @param pid its pid on the host
     * @return the process, which the caller must close; empty if it does not exist, or the system has no pidfds
     */
    public static Optional<PidfdProcess> open(long pid) {
        return Posix.instance().flatMap(posix -> {
            OptionalInt descriptor = posix.children().open(pid);
            return descriptor.isPresent()
                    ? Optional.of(new PidfdProcess(pid, posix, descriptor.getAsInt()))
                    : Optional.empty();
        });
    }

    /** Returns whether {@link #exitStatus} works for a process that is not a child of this JVM. Linux 6.15. */
    public static boolean reportsExitStatus() {
        if (!isSince615(System.getProperty("os.version", ""))) {
            return false;
        }
        Optional<PidfdProcess> self = open(ProcessHandle.current().pid());
        try {
            // A system that only reports the version of a newer kernel does not support the call.
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

    /** {@return the process's pid on the host; may be reused once it has exited} */
    public long pid() {
        return pid;
    }

    /**
     * Signals the process alone.
     *
     * @param signal the signal
     * @return whether it existed and the JVM may signal it
     */
    public synchronized boolean signal(Signal signal) {
        return descriptor >= 0 && posix.children().signal(descriptor, SignalNumbers.toPlatform(signal));
    }

    /**
     * Returns how the process ended, once its parent has reaped it.
     *
     * @return the exact status; empty before that, and where the kernel {@linkplain #reportsExitStatus does not report
     *     it}
     */
    public synchronized Optional<ExitStatus> exitStatus() {
        if (descriptor < 0) {
            return Optional.empty();
        }
        return posix.foreign()
                .exitOf(descriptor)
                .map(end -> end.exited()
                        ? new ExitStatus.Exited(end.number())
                        : new ExitStatus.Signaled(SignalNumbers.fromPlatform(end.number())));
    }

    /**
     * Waits for the process to exit.
     *
     * @param bound the longest time to wait
     * @return whether it has exited
     */
    public boolean awaitEnd(Duration bound) {
        int held;
        synchronized (this) {
            held = descriptor;
        }
        return held < 0 || posix.foreign().awaitEnd(held, bound);
    }

    /** Registers a short callback with a poller for the process's exit; close the watch before this process. */
    public synchronized Poller.Watch watch(Poller poller, Runnable onEnd) throws NativeFault {
        return poller.watch(descriptor, Poller.Readiness.READABLE, onEnd);
    }

    /**
     * Moves the calling thread into the process's network namespace; processes that the thread starts later inherit it.
     * For a thread that only launches processes. Linux 5.8; requires the right to administer both namespaces.
     *
     * @return the reason why the kernel refused, "no such process" if the process has exited; empty on success
     */
    public synchronized Optional<String> joinNetwork() {
        int error = descriptor < 0 ? Errno.ESRCH : posix.foreign().joinNetwork(descriptor);
        return error == 0 ? Optional.empty() : Optional.of(Errno.text(error));
    }

    /**
     * Duplicates a descriptor of the process into this JVM, closed on exec. Linux 5.6; requires the right to trace the
     * process.
     *
     * @param number its number in the process
     * @return its number in the JVM; the caller closes it
     * @throws NativeFault if the kernel refuses, or the process has exited
     */
    public synchronized int take(int number) throws NativeFault {
        int taken = descriptor < 0 ? -Errno.ESRCH : posix.foreign().take(descriptor, number);
        if (taken < 0) {
            throw new NativeFault("descriptor " + number + " of process " + pid + " could not be taken", -taken);
        }
        return taken;
    }

    /**
     * Limits a resource of the process, and of the processes that it starts later.
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
