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
 * <p>The thread is started early, and is confined by the time there is something to launch: it waits for that in a domain that nobody
 * else is in yet.
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
    private final Attempt attempt;
    private final Thread thread;
    private final Runnable meanwhile;

    /**
     * Starts a thread for one launch.
     *
     * @param ruleset the rules' descriptor, to be kept open until this is closed; stays the caller's
     * @param preparation what the thread does first, before it is confined
     * @param meanwhile what the caller of the launch does until it is done, unconfined; throws nothing
     */
    ConfinedLaunch(LandlockKernel kernel, int ruleset, Program filter, Runnable preparation, Runnable meanwhile) {
        this.kernel = kernel;
        this.attempt = new Attempt(kernel, ruleset, filter, preparation);
        this.meanwhile = meanwhile;
        thread = new Thread(null, attempt, "paddock-landlock-launch", STACK_BYTES, false);
        thread.setDaemon(true);
        thread.start();
    }

    /**
     * A launch thread that confines nothing and runs on the calling thread all that a confined one runs, so that its classes are
     * loaded. A launch that succeeds and one that fails, and everything has run.
     */
    static LaunchThread rehearsal(LandlockKernel kernel) {
        return new LaunchThread() {
            @Override
            public <T> T call(Callable<T> launch) {
                Attempt attempt = new Attempt(kernel, UNCONFINED, Program.of(new byte[0]), () -> {});
                Given<T> given = new Given<>(launch);
                attempt.given = given;
                attempt.rehearseWait();
                attempt.run();
                kernel.isThread(Integer.MAX_VALUE);
                return attempt.result(given);
            }
        };
    }

    @Override
    public <T> T call(Callable<T> launch) {
        Given<T> given = new Given<>(launch);
        attempt.given = given;
        LockSupport.unpark(thread);
        try {
            meanwhile.run();
        } finally {
            awaitEnd();
        }
        return attempt.result(given);
    }

    /** Ends a thread that was given nothing to launch. */
    @Override
    public void close() {
        if (attempt.given == null) {
            attempt.cancelled = true;
            LockSupport.unpark(thread);
            awaitEnd();
        }
    }

    private void awaitEnd() {
        join();
        awaitEnd(attempt.thread);
    }

    private void join() {
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

    /** A launch, and what it makes. */
    private static final class Given<T> {
        private final Callable<T> launch;
        private @Nullable T made;

        Given(Callable<T> launch) {
            this.launch = launch;
        }

        void run() throws Exception {
            made = launch.call();
        }
    }

    /** What the thread does. Plain code: a lambda or a formatted text would need classes that cannot be had any more. */
    private static final class Attempt implements Runnable {
        private final LandlockKernel kernel;
        private final int ruleset;
        private final Program filter;
        private final Runnable preparation;
        private volatile @Nullable Given<?> given;
        private volatile boolean cancelled;
        private long thread;
        private int refusal;
        private @Nullable Throwable fault;

        Attempt(LandlockKernel kernel, int ruleset, Program filter, Runnable preparation) {
            this.kernel = kernel;
            this.ruleset = ruleset;
            this.filter = filter;
            this.preparation = preparation;
        }

        @Override
        public void run() {
            try {
                thread = kernel.thread();
                preparation.run();
                if (ruleset != UNCONFINED) {
                    refusal = kernel.confine(ruleset, filter);
                }
                Given<?> next = awaitGiven();
                if (refusal == 0 && next != null) {
                    next.run();
                }
            } catch (Throwable thrown) { // an Error too: it is thrown again where somebody sees it
                fault = thrown;
            }
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
}
