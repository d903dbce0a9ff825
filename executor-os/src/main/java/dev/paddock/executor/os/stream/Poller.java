package dev.paddock.executor.os.stream;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.posix.NativeFault;

/** Waits for many descriptors with one thread, and uses no CPU while none is ready (C16). */
public interface Poller extends AutoCloseable {

    enum Readiness {
        READABLE,
        WRITABLE
    }

    /** The registration of a descriptor; closing it stops the watching. Close it before the descriptor. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Runs a callback once when a descriptor is ready, or at its end. The callback runs on the poller's thread: it must
     * be short.
     *
     * @throws NativeFault if the descriptor cannot be watched
     */
    Watch watch(int descriptor, Readiness readiness, Runnable onReady) throws NativeFault;

    @Override
    void close();

    /** Runs a callback, and logs its failure: the others still have to run. */
    static void run(Runnable onReady) {
        try {
            onReady.run();
        } catch (RuntimeException fault) {
            LateLogger.of(Poller.class)
                    .log(System.Logger.Level.ERROR, "The callback of a ready descriptor failed", fault);
        }
    }
}
