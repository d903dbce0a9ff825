package dev.paddock.harness.audit.store;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Follows a store: returns its records one by one and waits for new ones, whichever process writes
 * them. Not thread-safe.
 *
 * @since 0.1
 */
public final class AuditTail {
    private static final long POLL_MILLISECONDS = 50;
    private static final int BATCH = 500;

    private final StoreReader reader;
    private final Deque<AuditEntry> read = new ArrayDeque<>();
    private long last;

    AuditTail(StoreReader reader, long after) {
        this.reader = reader;
        this.last = after;
    }

    /**
     * Returns the next record; waits for it if there is none yet.
     *
     * @param timeout the longest wait; zero to poll once
     * @return the record; empty after the timeout
     * @throws InterruptedException if the thread is interrupted while it waits
     * @throws dev.paddock.harness.audit.AuditException if the store cannot be read
     */
    public Optional<AuditEntry> next(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (read.isEmpty()) {
            reader.forEach(AuditQuery.all().after(last).limit(BATCH), read::add);
            long left = deadline - System.nanoTime();
            if (read.isEmpty() && left <= 0) {
                return Optional.empty();
            }
            if (read.isEmpty()) {
                Thread.sleep(Math.min(POLL_MILLISECONDS, left / 1_000_000 + 1));
            }
        }
        AuditEntry entry = read.remove();
        last = entry.seq();
        return Optional.of(entry);
    }
}
