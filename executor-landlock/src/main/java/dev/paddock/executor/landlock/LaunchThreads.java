package dev.paddock.executor.landlock;

import dev.paddock.executor.landlock.LaunchAttempt.Rules;
import dev.paddock.executor.landlock.kernel.LandlockKernel;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Starts an executor's launch threads. Each serves one launch. The next is started when a sandbox has been prepared in
 * advance, or when a command has been released, since starting a JVM thread takes a fifth as long as starting a shell.
 * An unused thread has no rules and no command, like any other thread of the JVM.
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
     * Makes a thread confine itself now.
     *
     * @param rules the confinement; the caller owns its descriptor and keeps it open until the launch
     *     is closed
     * @return for one launch; the caller closes it
     */
    ConfinedLaunch launch(Rules rules) {
        Started ready = next.getAndSet(null);
        Started used = ready == null ? Started.now(kernel) : ready;
        return new ConfinedLaunch(kernel, used.attempt(), used.thread(), rules);
    }

    /** Starts the thread of the next launch, unless it exists. Call it off the critical path. */
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

    /** Ends the idle thread. Idempotent; not to be called concurrently with {@link #launch}. */
    @Override
    public void close() {
        closed = true;
        Started idle = next.getAndSet(null);
        if (idle != null) {
            idle.end();
        }
    }
}
