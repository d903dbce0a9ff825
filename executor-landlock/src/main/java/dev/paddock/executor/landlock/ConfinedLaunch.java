package dev.paddock.executor.landlock;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.landlock.LaunchAttempt.Given;
import dev.paddock.executor.landlock.LaunchAttempt.Rules;
import dev.paddock.executor.landlock.kernel.LandlockKernel;
import dev.paddock.executor.process.launch.LaunchThread;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A thread for each launch, which confines itself, launches and ends.
 *
 * <p>The kernel confines threads, and a thread of the JVM that stays confined is a hole: whatever runs in its domain may read
 * the environment, the memory and the descriptors of the whole JVM through {@code /proc/<jvm>/task/<thread>}. So the thread
 * makes no other thread, which would be born confined; it ends with its launch; and the launch returns, and the command gets
 * its order, only when the thread is gone. That is later than {@link Thread#join}, which returns while the kernel still has
 * the thread: in nine of ten cases, for 30 microseconds on a quiet machine and for milliseconds on a loaded one.
 *
 * <p>The thread is there early ({@link LaunchThreads}), and is confined by the time there is something to launch: it waits for that in
 * a domain that nobody else is in yet.
 *
 * <p>While it is confined, the thread can open nothing that was not granted, and that is also where classes are loaded from.
 * What runs there has to have run before: {@link #rehearsal}.
 */
final class ConfinedLaunch implements LaunchThread {

    private static final long BOUND_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int YIELDS = 200;
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final LandlockKernel kernel;
    private final LaunchAttempt attempt;
    private final Thread thread;

    /**
     * Has a thread confine itself for one launch.
     *
     * @param thread the attempt's, started
     */
    ConfinedLaunch(LandlockKernel kernel, LaunchAttempt attempt, Thread thread, Rules rules) {
        this.kernel = kernel;
        this.attempt = attempt;
        this.thread = thread;
        attempt.confineTo(rules);
        LockSupport.unpark(thread);
    }

    /**
     * A launch thread that confines nothing and runs on the calling thread all that a confined one runs, so that its classes are
     * loaded. A launch that succeeds and one that fails, and everything has run.
     */
    static LaunchThread rehearsal(LandlockKernel kernel) {
        return new LaunchThread() {
            @Override
            public <T> T call(Callable<T> launch) {
                LaunchAttempt attempt = new LaunchAttempt(kernel);
                Given<T> given = new Given<>(launch);
                attempt.confineTo(Rules.NONE);
                attempt.launch(given);
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
        attempt.launch(given);
        LockSupport.unpark(thread);
        awaitEnd();
        return attempt.result(given);
    }

    /** Ends a thread that was given nothing to launch. */
    @Override
    public void close() {
        if (!attempt.isGiven()) {
            attempt.cancel();
            LockSupport.unpark(thread);
            awaitEnd();
        }
    }

    private void awaitEnd() {
        join();
        awaitEnd(attempt.kernelThread());
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
}
