package dev.paddock.executor.network;

import dev.paddock.executor.os.io.DaemonThreads;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

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

    int most() {
        return most;
    }

    /**
     * Acquires a permit. If none is left, ends the connection that has been half-closed for the longest time: if its
     * other side never ends, it would keep a permit that later connections need.
     *
     * @return whether a permit was acquired
     */
    boolean admit() {
        return permits.tryAcquire() || makeRoom();
    }

    private boolean makeRoom() {
        Optional<RelayedConnection> oldest = longestHalfClosed(open);
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

    private static Optional<RelayedConnection> longestHalfClosed(Set<RelayedConnection> connections) {
        return connections.stream()
                .filter(RelayedConnection::isHalfClosed)
                .min(Comparator.comparingLong(RelayedConnection::halfClosedNanos));
    }

    /** Creates one port's share of these connections. */
    Share share() {
        return new Share();
    }

    /**
     * The connections of one port, which may take at most as many permits as are left: one port alone gets half of all,
     * and every further port still finds some.
     */
    final class Share {
        private final Set<RelayedConnection> own = ConcurrentHashMap.newKeySet();
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition released = lock.newCondition();
        private int admitted;

        int size() {
            lock.lock();
            try {
                return admitted;
            } finally {
                lock.unlock();
            }
        }

        /**
         * Acquires a permit. If this port has used its share, ends its connection that has been half-closed for the
         * longest time.
         *
         * @return whether a permit was acquired
         */
        boolean admit() {
            lock.lock();
            try {
                return tryAdmit() || makeRoom();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                return false;
            } finally {
                lock.unlock();
            }
        }

        private boolean tryAdmit() {
            boolean isAdmitted = admitted < permits.availablePermits() && permits.tryAcquire();
            admitted += isAdmitted ? 1 : 0;
            return isAdmitted;
        }

        private boolean makeRoom() throws InterruptedException {
            Optional<RelayedConnection> oldest = longestHalfClosed(own);
            oldest.ifPresent(RelayedConnection::giveUp);
            long left = oldest.isPresent() ? TimeUnit.MILLISECONDS.toNanos(ENDING_MILLIS) : 0;
            while (left > 0) {
                left = released.awaitNanos(left);
                if (tryAdmit()) {
                    return true;
                }
            }
            return false;
        }

        /** Starts a connection that has a permit, as {@link OpenConnections#start} does. */
        void start(RelayedConnection connection, Runnable ended) {
            own.add(connection);
            OpenConnections.this.start(connection, () -> {
                own.remove(connection);
                lock.lock();
                try {
                    admitted--;
                    released.signalAll();
                } finally {
                    lock.unlock();
                }
                ended.run();
            });
        }
    }

    /** Releases the permit of a connection that was not started. */
    void release() {
        permits.release();
    }

    /** Starts a connection that has a permit, on its own thread. */
    void start(RelayedConnection connection) {
        start(connection, () -> {});
    }

    /**
     * Starts a connection that has a permit, on its own thread.
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

    /** Ends all connections, including those that are still starting. */
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
