package dev.paddock.harness.tools.command;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Throttles calls: runs the task at most every tenth of a second, and always once after the last call, so that the last
 * update shows the final state. Uses no resources while idle.
 */
final class Ticker implements AutoCloseable {
    private static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ScheduledExecutorService clock;
    private final Runnable task;
    private long lastRun = System.nanoTime() - INTERVAL_NANOS;
    private boolean due;
    private boolean closed;

    Ticker(ScheduledExecutorService clock, Runnable task) {
        this.clock = clock;
        this.task = task;
    }

    synchronized void touch() {
        if (due || closed) {
            return;
        }
        due = true;
        long wait = Math.max(0, INTERVAL_NANOS - (System.nanoTime() - lastRun));
        var unused = clock.schedule(this::run, wait, TimeUnit.NANOSECONDS);
    }

    private void run() {
        synchronized (this) {
            due = false;
            lastRun = System.nanoTime();
            if (closed) {
                return;
            }
        }
        task.run();
    }

    @Override
    public synchronized void close() {
        closed = true;
    }
}
