package dev.paddock.executor.landlock;

import dev.paddock.executor.Availability;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.landlock.LandlockKernel.Program;
import dev.paddock.executor.process.LaunchThread;
import dev.paddock.executor.process.posix.Errno;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread for each launch, which confines itself, launches and ends.
 *
 * <p>The kernel confines threads, and a thread of the JVM that stays confined is a hole: whatever runs in its domain may read
 * the environment, the memory and the descriptors of the whole JVM through {@code /proc/<jvm>/task/<thread>}. So the thread
 * makes no other thread, which would be born confined; it ends with its launch; and the launch returns, and the command gets
 * its order, only when the thread is gone. That is later than {@link Thread#join}, which returns while the kernel still has
 * the thread: in nine of ten cases, for 30 microseconds on a quiet machine and for milliseconds on a loaded one.
 *
 * <p>While it is confined, the thread can open nothing that was not granted, and that is also where classes are loaded from.
 * What runs there has to have run before: {@link #rehearsal}.
 */
final class ConfinedLaunch implements LaunchThread {

    private static final long BOUND_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int YIELDS = 200;
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long STACK_BYTES = 512 << 10;

    /** No rules' descriptor. */
    private static final int UNCONFINED = -1;

    private final LandlockKernel kernel;
    private final int ruleset;
    private final Program filter;
    private final Runnable preparation;

    /**
     * A launch thread for one sandbox.
     *
     * @param ruleset the rules' descriptor; stays the caller's
     * @param preparation what each thread does first, before it is confined
     */
    ConfinedLaunch(LandlockKernel kernel, int ruleset, Program filter, Runnable preparation) {
        this.kernel = kernel;
        this.ruleset = ruleset;
        this.filter = filter;
        this.preparation = preparation;
    }

    /**
     * A launch thread that confines nothing and runs on the calling thread all that a confined one runs, so that its classes are
     * loaded. A launch that succeeds and one that fails, and everything has run.
     */
    static LaunchThread rehearsal(LandlockKernel kernel) {
        return new LaunchThread() {
            @Override
            public <T> T call(Callable<T> launch) {
                Attempt<T> attempt = new Attempt<>(kernel, UNCONFINED, Program.of(new byte[0]), () -> {}, launch);
                attempt.run();
                kernel.isThread(Integer.MAX_VALUE);
                return attempt.result();
            }
        };
    }

    @Override
    public <T> T call(Callable<T> launch) {
        Attempt<T> attempt = new Attempt<>(kernel, ruleset, filter, preparation, launch);
        Thread thread = new Thread(null, attempt, "paddock-landlock-launch", STACK_BYTES, false);
        thread.setDaemon(true);
        thread.start();
        join(thread);
        awaitEnd(attempt.thread);
        return attempt.result();
    }

    private static void join(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException again) {
                interrupted = true; // half a launch is worse than a whole one
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // yielding only lets the other thread end sooner
    private void awaitEnd(long thread) {
        long start = System.nanoTime();
        for (int look = 0; kernel.isThread(thread); look++) {
            if (System.nanoTime() - start > BOUND_NANOS) {
                throw new ExecutorException("a confined thread of the JVM does not end: " + thread);
            }
            if (look < YIELDS) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    /** What the thread does. Plain code: a lambda or a formatted text would need classes that cannot be had any more. */
    private static final class Attempt<T> implements Runnable {
        private final LandlockKernel kernel;
        private final int ruleset;
        private final Program filter;
        private final Runnable preparation;
        private final Callable<T> launch;
        private long thread;
        private int refusal;
        private @Nullable T made;
        private @Nullable Throwable fault;

        Attempt(LandlockKernel kernel, int ruleset, Program filter, Runnable preparation, Callable<T> launch) {
            this.kernel = kernel;
            this.ruleset = ruleset;
            this.filter = filter;
            this.preparation = preparation;
            this.launch = launch;
        }

        @Override
        public void run() {
            try {
                thread = kernel.thread();
                preparation.run();
                if (ruleset != UNCONFINED) {
                    refusal = kernel.confine(ruleset, filter);
                }
                if (refusal == 0) {
                    made = launch.call();
                }
            } catch (Throwable thrown) { // an Error too: it is thrown again where somebody sees it
                fault = thrown;
            }
        }

        T result() {
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
            return Objects.requireNonNull(made);
        }
    }
}
