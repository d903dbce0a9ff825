package dev.paddock.executor.landlock;

import dev.paddock.executor.landlock.LaunchAttempt.Rules;
import dev.paddock.executor.landlock.kernel.LandlockKernel;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads for an executor's launches. Each serves one; the next is started when a command has been let go, since a new thread of
 * the JVM takes a fifth as long as a shell. It has no rules and knows no command until it is wanted, and so is no more than any other
 * thread of the JVM.
 */
final class LaunchThreads implements AutoCloseable {
    private final LandlockKernel kernel;
    private final AtomicReference<@Nullable Started> next = new AtomicReference<>();
    private volatile boolean closed;

    private record Started(LaunchAttempt attempt, Thread thread) {
        static Started now(LandlockKernel kernel) {
            LaunchAttempt attempt = new LaunchAttempt(kernel);
            Thread thread = attempt.thread();
            thread.start();
            return new Started(attempt, thread);
        }

        void end() {
            attempt.cancel();
            LockSupport.unpark(thread);
        }
    }

    LaunchThreads(LandlockKernel kernel) {
        this.kernel = kernel;
    }

    /**
     * A thread that confines itself now.
     *
     * @param rules what to; the descriptor is to be kept open until the launch is closed, and stays the caller's
     * @return for one launch; the caller closes it
     */
    ConfinedLaunch launch(Rules rules) {
        Started ready = next.getAndSet(null);
        Started used = ready == null ? Started.now(kernel) : ready;
        return new ConfinedLaunch(kernel, used.attempt(), used.thread(), rules);
    }

    /** Starts the thread of the next launch, unless it is there. To be called when there is time for it. */
    void startNext() {
        if (next.get() == null && !closed) {
            Started started = Started.now(kernel);
            if (!next.compareAndSet(null, started)) {
                started.end();
            } else if (closed) {
                close();
            }
        }
    }

    /** Ends the thread that waits. Idempotent; not to be called while launches are being asked for. */
    @Override
    public void close() {
        closed = true;
        Started idle = next.getAndSet(null);
        if (idle != null) {
            idle.end();
        }
    }
}
