package dev.paddock.executor.process.io;

import dev.paddock.executor.process.posix.NativeFault;
import java.io.InterruptedIOException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Parks the one thread that uses a descriptor until it is ready or somebody rings. */
final class ReadinessParker {
    private final Poller poller;
    private volatile @Nullable Thread waiting;
    private volatile boolean ready;

    ReadinessParker(Poller poller) {
        this.poller = poller;
    }

    /**
     * Waits.
     *
     * @param enough checked after each wake-up, and before the first park: what {@link #ring} is rung for
     * @throws InterruptedIOException if the thread is interrupted; it stays so
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
        ring();
    }

    /** Wakes the waiting thread, if there is one, to check what it waits for. */
    void ring() {
        Thread thread = waiting;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }
}
