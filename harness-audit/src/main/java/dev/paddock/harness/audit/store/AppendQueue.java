package dev.paddock.harness.audit.store;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.harness.audit.AuditException;
import dev.paddock.harness.audit.AuditRecord;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * Writes records on its own thread, several per transaction, so that no caller waits for the
 * disk or for other processes. Counts the records that could not be written.
 */
final class AppendQueue {
    /** The maximum number of queued records: a locked or slow store must not fill the memory. */
    static final int MAX_RECORDS = 10_000;

    private static final int BATCH = 500;
    private static final Logger LOG = LateLogger.of(AuditStore.class);

    private final Consumer<List<AuditRecord>> writer;
    private final Deque<AuditRecord> waiting = new ArrayDeque<>();
    private boolean isRunning;
    private boolean isClosed;
    private long accepted;
    private long settled;
    private long unwritten;

    AppendQueue(Consumer<List<AuditRecord>> writer) {
        this.writer = writer;
    }

    synchronized void add(AuditRecord record) {
        if (isClosed || waiting.size() == MAX_RECORDS) {
            unwritten++;
            if (Long.bitCount(unwritten) == 1) { // the first, then exponentially rarer
                LOG.log(
                        Level.ERROR,
                        unwritten + " audit records were not written so far: "
                                + (isClosed
                                        ? "the store has been closed"
                                        : MAX_RECORDS + " others wait for the store"));
            }
            return;
        }
        waiting.add(record);
        accepted++;
        if (!isRunning) {
            isRunning = true;
            Thread thread = new Thread(null, this::drain, "paddock-audit-store", 0, false);
            thread.setDaemon(true);
            thread.start();
        }
    }

    synchronized long unwritten() {
        return unwritten;
    }

    /** Waits until all added records are written or counted as unwritten. */
    synchronized boolean flush(Duration patience) {
        long target = accepted;
        long deadline = System.nanoTime() + patience.toNanos();
        boolean isInterrupted = false;
        while (settled < target && !isInterrupted) {
            long millis = (deadline - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                break;
            }
            try {
                wait(millis);
            } catch (InterruptedException interrupt) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
        return settled >= target;
    }

    synchronized void close() {
        isClosed = true;
    }

    private void drain() {
        List<AuditRecord> batch = next();
        while (!batch.isEmpty()) {
            long lost = 0;
            try {
                writer.accept(batch);
            } catch (AuditException fault) {
                lost = batch.size();
                LOG.log(
                        Level.ERROR,
                        "audit records could not be written (" + lost + " of them): " + fault.getMessage(),
                        fault);
            } catch (RuntimeException | Error fault) {
                lost = batch.size();
                LOG.log(Level.ERROR, "audit records could not be written (" + lost + " of them)", fault);
            } finally {
                settle(batch.size(), lost);
            }
            batch = next();
        }
    }

    /** Takes the next records; the thread ends if there are none. */
    private synchronized List<AuditRecord> next() {
        List<AuditRecord> batch = new ArrayList<>();
        while (batch.size() < BATCH && !waiting.isEmpty()) {
            batch.add(waiting.remove());
        }
        isRunning = !batch.isEmpty();
        return batch;
    }

    private synchronized void settle(int number, long lost) {
        settled += number;
        unwritten += lost;
        notifyAll();
    }
}
