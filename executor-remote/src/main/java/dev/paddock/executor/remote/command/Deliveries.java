package dev.paddock.executor.remote.command;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Finds out that no output of a command is delivered any more. It counts looks instead of time: a JVM that
 * stands still delivers nothing.
 */
final class Deliveries {
    /** So many looks in a row without a delivery are quiet. */
    private static final int QUIET_LOOKS = 4;

    private final AtomicLong begun = new AtomicLong();
    private volatile boolean delivering;
    private long seen = -1;
    private int looks;

    /** Records that a piece is being delivered, which takes as long as its reader does. */
    void begin() {
        delivering = true;
        begun.incrementAndGet();
    }

    void end() {
        delivering = false;
    }

    /** Looks again; returns whether it has been quiet for long enough. The caller leaves time between looks. */
    synchronized boolean isQuiet() {
        long now = begun.get();
        looks = now == seen && !delivering ? looks + 1 : 0;
        seen = now;
        return looks >= QUIET_LOOKS;
    }
}
