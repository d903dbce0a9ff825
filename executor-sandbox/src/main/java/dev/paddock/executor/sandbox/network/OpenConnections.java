package dev.paddock.executor.sandbox.network;

import dev.paddock.executor.process.io.DaemonThreads;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Bounds the relayed connections of an executor, and ends them with it. */
final class OpenConnections implements AutoCloseable {
    /** How long disposal waits for the reports of the connections that it has ended. */
    private static final long ENDING_MILLIS = 1000;

    private final int most;
    private final Semaphore permits;
    private final Set<RelayedConnection> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    OpenConnections(int most) {
        this.most = most;
        this.permits = new Semaphore(most);
    }

    /** Returns how many connections may be open. */
    int most() {
        return most;
    }

    /**
     * Acquires a permit. If none is left, ends the connection one side of which ended longest ago, perhaps by its
     * exit: another side that never ends its own would keep a permit that later connections need.
     *
     * @return whether a permit was acquired
     */
    boolean admit() {
        return permits.tryAcquire() || makeRoom();
    }

    private boolean makeRoom() {
        Optional<RelayedConnection> oldest = open.stream()
                .filter(RelayedConnection::isHalfClosed)
                .min(Comparator.comparingLong(RelayedConnection::halfClosedNanos));
        if (oldest.isEmpty()) {
            return false;
        }
        oldest.get().giveUp();
        try {
            return permits.tryAcquire(ENDING_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns the permit of a connection that was not started. */
    void release() {
        permits.release();
    }

    /** Starts a connection that has a permit, on a thread of its own. */
    void start(RelayedConnection connection) {
        start(connection, () -> {});
    }

    /**
     * Starts a connection that has a permit, on a thread of its own.
     *
     * @param ended called when it has ended
     */
    void start(RelayedConnection connection, Runnable ended) {
        open.add(connection);
        if (closed) {
            connection.close();
        }
        DaemonThreads.virtual("paddock-relay").start(() -> {
            try {
                connection.run();
            } finally {
                open.remove(connection);
                permits.release();
                ended.run();
            }
        });
    }

    /** Ends all connections, and those that are still started. */
    @Override
    public void close() {
        closed = true;
        open.forEach(RelayedConnection::close);
        try {
            if (!permits.tryAcquire(most, ENDING_MILLIS, TimeUnit.MILLISECONDS)) {
                open.forEach(RelayedConnection::report); // the lookup of a name may take some seconds
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
