package dev.paddock.executor.tck.context;

import dev.paddock.executor.ShellQuoting;
import dev.paddock.executor.tck.subject.FarSide;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Detects the exact moment when the last process of a tree has exited, without process ids, and
 * therefore across containers and PID namespaces.
 *
 * <p>The probe is a named pipe. The command opens it for writing as descriptor 9, which every
 * descendant inherits, and each relevant process writes one byte to report that it is up. The pipe
 * reaches its end when the last holder has exited.
 */
public final class TreeLivenessProbe implements Closeable {
    private final String pipe;
    private final InputStream reading;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int reports;
    private boolean dead;
    private boolean closed;
    private long diedAt;

    TreeLivenessProbe(FarSide farSide, String pipe) throws IOException {
        this.pipe = pipe;
        reading = farSide.watch(pipe);
        Thread.ofPlatform().daemon().name("probe of " + pipe).start(this::read);
    }

    /**
     * Returns shell code that makes this process, and its descendants, holders, and reports that.
     */
    public String hold() {
        return "exec 9>" + ShellQuoting.posix(pipe) + "; " + report();
    }

    /**
     * Returns shell code with which a process that inherited the descriptor reports that it is
     * up.
     */
    public String report() {
        return "printf u >&9; ";
    }

    /** Waits until a number of processes have reported that they are up. */
    public void awaitUp(int holders, Duration patience) throws InterruptedException {
        await(patience, () -> reports >= holders, "of " + holders + " processes not all came up");
    }

    /** Waits until no holder is alive. */
    public void awaitDeath(Duration bound, String of) throws InterruptedException {
        await(bound, () -> dead, "a process still lives that should be dead by now: " + of);
    }

    boolean isDead() {
        lock.lock();
        try {
            return dead;
        } finally {
            lock.unlock();
        }
    }

    /** Returns when the last holder exited, as {@link System#nanoTime()}. */
    long diedAt() {
        lock.lock();
        try {
            return diedAt;
        } finally {
            lock.unlock();
        }
    }

    private void await(Duration bound, BooleanSupplier holds, String otherwise) throws InterruptedException {
        long left = bound.toNanos();
        lock.lock();
        try {
            while (!holds.getAsBoolean()) {
                if (left <= 0) {
                    throw new AssertionError(otherwise + " (waited " + bound.toMillis() + " ms; " + reports
                            + " had come up" + (dead ? ", all are dead" : "") + ")");
                }
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private void read() {
        byte[] buffer = new byte[256];
        try {
            for (int count = reading.read(buffer); count >= 0; count = reading.read(buffer)) {
                noteReports(count);
            }
            noteDeath();
        } catch (IOException fault) {
            if (!isClosed()) {
                throw new UncheckedIOException("the probe " + pipe + " could not be read", fault);
            }
        }
    }

    private void noteReports(int count) {
        lock.lock();
        try {
            reports += count;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    private void noteDeath() {
        lock.lock();
        try {
            dead = !closed;
            diedAt = System.nanoTime();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the reading thread, even if a process still holds the pipe. */
    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            closed = true;
            if (dead) {
                return;
            }
        } finally {
            lock.unlock();
        }
        reading.close();
    }

    /** Returns the time from a moment to the exit of the last holder. */
    public Duration deathAfter(long nanoTime) {
        return Duration.ofNanos(diedAt() - nanoTime);
    }
}
