package dev.paddock.executor.os.stream;

import dev.paddock.executor.os.posix.NativeFault;
import java.io.InterruptedIOException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Parks the one thread that uses a descriptor until the descriptor is ready or another thread wakes
 * it.
 */
final class ReadinessParker {
    private final Poller poller;
    private volatile @Nullable Thread waiting;
    private volatile boolean ready;

    ReadinessParker(Poller poller) {
        this.poller = poller;
    }

    /**
     * Waits until the descriptor is ready or the condition is true.
     *
     * @param enough the condition that callers of {@link #wake} change; checked after each wake-up, and before the
     *     first park
     * @throws InterruptedIOException if the thread is interrupted; its interrupt status stays set
     */
    void await(int descriptor, Poller.Readiness readiness, BooleanSupplier enough)
            throws NativeFault, InterruptedIOException {
        ready = false;
        waiting = Thread.currentThread();
        try (Poller.Watch watch = poller.watch(descriptor, readiness, this::onReady)) {
            while (!ready && !enough.getAsBoolean()) {
                LockSupport.park(watch);
                if (Thread.currentThread().isInterrupted()) {
                    throw new InterruptedIOException("interrupted while waiting for a command's pipe");
                }
            }
        } finally {
            waiting = null;
        }
    }

    private void onReady() {
        ready = true;
        wake();
    }

    /** Wakes the waiting thread, if any, so that it checks its condition. */
    void wake() {
        Thread thread = waiting;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }
}
