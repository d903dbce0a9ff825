package dev.paddock.executor.remote.command;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Detects that no output of a command is being delivered. Counts polls, not wall time, so that a paused
 * JVM does not look like an idle pipe.
 */
final class Deliveries {
    /** The number of polls in a row without a delivery that count as quiet. */
    private static final int QUIET_POLLS = 4;

    private final AtomicLong begun = new AtomicLong();
    private volatile boolean delivering;
    private long seen = -1;
    private int polls;

    /** Records that a piece is being delivered, which takes as long as its reader does. */
    void begin() {
        delivering = true;
        begun.incrementAndGet();
    }

    void end() {
        delivering = false;
    }

    /** Polls; returns whether it has been quiet for long enough. The caller waits between polls. */
    synchronized boolean isQuiet() {
        long now = begun.get();
        polls = now == seen && !delivering ? polls + 1 : 0;
        seen = now;
        return polls >= QUIET_POLLS;
    }
}
