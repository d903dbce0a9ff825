package dev.paddock.executor.landlock;

import dev.paddock.executor.Availability;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.landlock.kernel.LandlockKernel;
import dev.paddock.executor.landlock.kernel.LandlockKernel.Program;
import dev.paddock.executor.process.posix.Errno;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What the thread of a {@link ConfinedLaunch} does: it takes its rules, confines itself, launches and ends. Until it has its rules
 * it is a thread like any other, and may have been started long before.
 *
 * <p>Plain code: a lambda or a formatted text would need classes that cannot be had any more once it is confined.
 */
final class LaunchAttempt implements Runnable {
    private static final long STACK_BYTES = 512 << 10;

    private final LandlockKernel kernel;
    private volatile @Nullable Rules rules;
    private volatile @Nullable Given<?> given;
    private volatile boolean cancelled;
    private long kernelThread;
    private int refusal;
    private @Nullable Throwable fault;

    /**
     * What a thread is confined to.
     *
     * @param ruleset the rules' descriptor; a negative one stands for none, and nothing is confined
     * @param preparation what the thread does first
     */
    record Rules(int ruleset, Program filter, Runnable preparation) {
        static final Rules NONE = new Rules(-1, Program.of(new byte[0]), () -> {});
    }

    /** A launch, and what it makes. */
    static final class Given<T> {
        private final Callable<T> launch;
        private @Nullable T made;

        Given(Callable<T> launch) {
            this.launch = launch;
        }

        void run() throws Exception {
            made = launch.call();
        }
    }

    LaunchAttempt(LandlockKernel kernel) {
        this.kernel = kernel;
    }

    /** A thread for it, which the caller starts. */
    public Thread thread() {
        Thread thread = new Thread(null, this, "paddock-landlock-launch", STACK_BYTES, false);
        thread.setDaemon(true);
        return thread;
    }

    /** To be followed by {@link LockSupport#unpark}, as the next two are. */
    void confineTo(Rules wanted) {
        rules = wanted;
    }

    void launch(Given<?> next) {
        given = next;
    }

    void cancel() {
        cancelled = true;
    }

    boolean isGiven() {
        return given != null;
    }

    @Override
    public void run() {
        try {
            kernelThread = kernel.thread();
            Rules wanted = awaitRules();
            if (wanted == null) {
                return;
            }
            wanted.preparation().run();
            if (wanted.ruleset() >= 0) {
                refusal = kernel.confine(wanted.ruleset(), wanted.filter());
            }
            Given<?> next = awaitGiven();
            if (refusal == 0 && next != null) {
                next.run();
            }
        } catch (Throwable thrown) { // an Error too: it is thrown again where somebody sees it
            fault = thrown;
        }
    }

    private @Nullable Rules awaitRules() {
        while (rules == null && !cancelled) {
            await();
        }
        return rules;
    }

    private @Nullable Given<?> awaitGiven() {
        while (given == null && !cancelled) {
            await();
        }
        return given;
    }

    private void await() {
        LockSupport.park(this);
    }

    /** Waits for nothing, on the calling thread: the call is linked from then on. */
    void rehearseWait() {
        LockSupport.unpark(Thread.currentThread());
        await();
    }

    /** The kernel's number of the thread; to be asked when that has ended. */
    long kernelThread() {
        return kernelThread;
    }

    /** What was launched, or why not; to be asked when the thread has ended. */
    <T> T result(Given<T> launched) {
        if (refusal != 0) {
            throw new SandboxUnavailableException(
                    LandlockExecutor.NAME,
                    new Availability.Unusable(
                            "the kernel refuses to confine a thread: " + Errno.text(-refusal),
                            "Look at the kernel's log, or use another backend."));
        }
        if (fault instanceof RuntimeException thrown) {
            throw thrown;
        }
        if (fault instanceof Error thrown) {
            throw thrown;
        }
        if (fault != null) {
            throw new ExecutorException("a process could not be started: " + fault, fault);
        }
        return Objects.requireNonNull(launched.made);
    }
}
