package dev.paddock.executor.remote.command;

import java.time.Duration;

/** Measures how long no output of a command has been delivered. */
final class Deliveries {
    private volatile boolean delivering;
    private volatile long last = System.nanoTime();

    /** Records that a piece is being delivered, which takes as long as its reader does. */
    void begin() {
        delivering = true;
    }

    void end() {
        last = System.nanoTime();
        delivering = false;
    }

    boolean quietFor(Duration time) {
        return !delivering && System.nanoTime() - last >= time.toNanos();
    }
}
