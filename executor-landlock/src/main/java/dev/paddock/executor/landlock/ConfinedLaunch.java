package dev.paddock.executor.landlock;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.landlock.LaunchAttempt.LaunchTask;
import dev.paddock.executor.landlock.LaunchAttempt.Rules;
import dev.paddock.executor.landlock.kernel.LandlockKernel;
import dev.paddock.executor.process.launch.LaunchThread;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Launches one process from a dedicated thread, which confines itself, launches and exits.
 *
 * <p>Landlock and seccomp confine threads, and a JVM thread that stays confined is a hole: a process in its Landlock
 * domain may read the environment, the memory and the descriptors of the whole JVM through {@code
 * /proc/<jvm>/task/<thread>}. So the thread creates no other thread, which would inherit the confinement; it exits
 * after its launch; and the launch returns, and the process gets its command, only when the kernel has removed the
 * thread. That is later than {@link Thread#join}, which in nine of ten cases returns while the kernel still lists the
 * thread: for 30 microseconds on a quiet machine and for milliseconds on a loaded one.
 *
 * <p>{@link LaunchThreads} starts the thread early, so that it is confined when there is a process to launch: it waits
 * in a Landlock domain that contains no process yet.
 *
 * <p>A confined thread can open only granted files, so the JVM cannot load classes on it. All code that runs on it must
 * have run before: {@link #preloading}.
 */
final class ConfinedLaunch implements LaunchThread {

    private static final long BOUND_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int YIELDS = 200;
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final LandlockKernel kernel;
    private final LaunchAttempt attempt;
    private final Thread thread;

    /**
     * Makes a thread confine itself for one launch.
     *
     * @param thread the started thread of the attempt
     */
    ConfinedLaunch(LandlockKernel kernel, LaunchAttempt attempt, Thread thread, Rules rules) {
        this.kernel = kernel;
        this.attempt = attempt;
        this.thread = thread;
        attempt.confineTo(rules);
        LockSupport.unpark(thread);
    }

    /**
     * Returns a launch thread that confines nothing and runs the confined thread's code on the calling thread, so that
     * its classes are loaded. One launch that succeeds and one that fails run all of that code.
     */
    static LaunchThread preloading(LandlockKernel kernel) {
        return new LaunchThread() {
            @Override
            public <T> T call(Callable<T> launch) {
                LaunchAttempt attempt = new LaunchAttempt(kernel);
                LaunchTask<T> task = new LaunchTask<>(launch);
                attempt.confineTo(Rules.NONE);
                attempt.launch(task);
                attempt.preloadWait();
                attempt.run();
                kernel.isThread(Integer.MAX_VALUE);
                return attempt.result(task);
            }
        };
    }

    @Override
    public <T> T call(Callable<T> launch) {
        LaunchTask<T> task = new LaunchTask<>(launch);
        attempt.launch(task);
        LockSupport.unpark(thread);
        awaitEnd();
        return attempt.result(task);
    }

    /** Ends a thread that has received no launch. */
    @Override
    public void close() {
        if (!attempt.hasTask()) {
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
                interrupted = true; // finish the launch first
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // yielding only lets the other thread exit sooner
    private void awaitEnd(long thread) {
        long start = System.nanoTime();
        for (int check = 0; kernel.isThread(thread); check++) {
            if (System.nanoTime() - start > BOUND_NANOS) {
                throw new ExecutorException("a confined thread of the JVM does not end: " + thread);
            }
            if (check < YIELDS) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }
}
