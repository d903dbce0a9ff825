package dev.paddock.executor.remote.pulse;

import dev.paddock.executor.process.io.DaemonThreads;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Beats for all connections of this JVM at once. Each connection has to be questioned every two
 * seconds, or a silent server would not be noticed (C15); if each asked at a time of its own, the
 * JVM and its processes would never rest (C16).
 */
public final class Heartbeat {
    /**
     * Shorter than the interval at which ssh asks by itself, which then asks only a server that is late; and
     * an answer that is still missing at the second beat after a fall into silence is awaited for some time
     * more, until 5 seconds have passed at most.
     */
    private static final Duration PERIOD = Duration.ofMillis(1600);

    private static final ReentrantLock LOCK = new ReentrantLock();
    private static final Condition STOPPED = LOCK.newCondition();
    private static final Set<Beating> MEMBERS = new LinkedHashSet<>();
    private static Optional<Thread> thread = Optional.empty();

    private Heartbeat() {}

    /** A connection to a place that is questioned. */
    @FunctionalInterface
    public interface Beating {
        /** Asks the place to answer, and returns at once. */
        void beat();
    }

    /** Adds a connection; the first one starts the thread. */
    public static void add(Beating member) {
        LOCK.lock();
        try {
            MEMBERS.add(member);
            if (thread.isEmpty()) {
                thread = Optional.of(
                        DaemonThreads.virtual("paddock-remote-heartbeat").start(Heartbeat::run));
            }
        } finally {
            LOCK.unlock();
        }
    }

    /** Removes a connection if it is there; the last one ends the thread. */
    public static void remove(Beating member) {
        LOCK.lock();
        try {
            if (MEMBERS.remove(member) && MEMBERS.isEmpty()) {
                thread = Optional.empty();
                STOPPED.signalAll();
            }
        } finally {
            LOCK.unlock();
        }
    }

    private static void run() {
        for (List<Beating> next = await(); !next.isEmpty(); next = await()) {
            next.forEach(Beating::beat);
        }
    }

    /** Waits a period, and returns the connections; none if this thread is to end. */
    private static List<Beating> await() {
        LOCK.lock();
        try {
            long left = PERIOD.toNanos();
            while (left > 0 && isCurrent()) {
                left = STOPPED.awaitNanos(left);
            }
            return isCurrent() ? List.copyOf(MEMBERS) : List.of();
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            return List.of();
        } finally {
            LOCK.unlock();
        }
    }

    private static boolean isCurrent() {
        return thread.equals(Optional.of(Thread.currentThread()));
    }
}
