package dev.paddock.executor.process.io;

import dev.paddock.executor.process.posix.NativeFault;

/** One thread that waits for many descriptors, and uses no CPU while none is ready (C16). */
public interface Poller extends AutoCloseable {

    /** What a descriptor may become. */
    enum Readiness {
        READABLE,
        WRITABLE
    }

    /** A descriptor's place; closing it stops the watching. To be closed before the descriptor is. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Runs something once when a descriptor is ready, or at its end. Runs on the poller's thread: it has to be short.
     *
     * @throws NativeFault if the descriptor cannot be watched
     */
    Watch watch(int descriptor, Readiness readiness, Runnable onReady) throws NativeFault;

    @Override
    void close();
}
