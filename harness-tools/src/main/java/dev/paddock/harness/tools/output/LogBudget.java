package dev.paddock.harness.tools.output;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongUnaryOperator;

/**
 * Bounds the total size of a session's logs, and leaves some space free on the disk. Thread-safe.
 */
final class LogBudget {
    private static final long MAX_RESERVE = 1L << 30;
    private static final int RESERVED_SHARE = 20;

    /** The free space is read again after this many bytes. */
    private static final long STEP = 16 << 20;

    private final Path directory;
    private final long most;
    private final LongUnaryOperator reserve;
    private long taken;
    private long unchecked;

    LogBudget(Path directory, long most) {
        this(directory, most, total -> Math.min(MAX_RESERVE, total / RESERVED_SHARE));
    }

    /**
     * Creates a budget.
     *
     * @param reserve maps a disk's size to the bytes that must stay free
     */
    LogBudget(Path directory, long most, LongUnaryOperator reserve) {
        this.directory = directory;
        this.most = most;
        this.reserve = reserve;
    }

    /**
     * Reserves space for bytes that are about to be written.
     *
     * @throws IOException if they may not be written; the message says why
     */
    synchronized void take(int bytes) throws IOException {
        if (bytes > most - taken) {
            throw new IOException("the session's logs have reached " + most + " bytes together");
        }
        unchecked += bytes;
        if (unchecked >= STEP) {
            requireSpace();
            unchecked = 0;
        }
        taken += bytes;
    }

    private void requireSpace() throws IOException {
        FileStore store = Files.getFileStore(directory);
        long free = reserve.applyAsLong(store.getTotalSpace());
        if (store.getUsableSpace() < free) {
            throw new IOException("less than " + free + " bytes are free on the disk of the session's logs");
        }
    }

    /** Returns bytes to the budget whose file has been removed or emptied. */
    synchronized void giveBack(long bytes) {
        taken -= Math.min(taken, bytes);
    }
}
