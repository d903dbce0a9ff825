package dev.paddock.harness.audit.store;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.harness.audit.AuditException;
import dev.paddock.harness.audit.AuditRecord;
import dev.paddock.harness.audit.AuditSink;
import java.io.File;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes records to files next to a store, for programs that run too briefly to open it: opening loads a database
 * library, which takes longer than many commands run. {@link AuditStore#importSpool} moves the records into the chain.
 *
 * <p>A record survives the death of its process once {@link #append} has returned. Until it is in the chain, only the
 * permissions of its directory protect it, as they protect the key file. Safe for use by several threads and processes.
 *
 * @since 0.1
 */
public final class AuditSpool implements AuditSink {
    private static final Logger LOG = LateLogger.of(AuditSpool.class);
    private static final String DIRECTORY = "spool";
    private static final String WHOLE = ".json";
    private static final String PART = ".part";

    /** Numbers this process's records, so that their file names are unique. */
    private static final AtomicLong WRITTEN = new AtomicLong();

    private final Path store;
    private final Path directory;
    private final AtomicLong unwritten = new AtomicLong();

    private AuditSpool(Path store) {
        this.store = store;
        this.directory = store.resolve(DIRECTORY);
    }

    /**
     * Returns the spool of a store.
     *
     * @param store the store's directory; created with the first record if it does not exist
     * @return the spool
     */
    public static AuditSpool of(Path store) {
        return new AuditSpool(store);
    }

    /**
     * Writes a record. Never throws: {@link #unwritten} counts a record that cannot be written, and the log reports it
     * at the level ERROR.
     *
     * @param record the record
     */
    @Override
    public void append(AuditRecord record) {
        try {
            write(record);
        } catch (AuditException fault) {
            long lost = unwritten.incrementAndGet();
            if (Long.bitCount(lost) == 1) { // the first, then exponentially rarer
                LOG.log(
                        Level.ERROR,
                        "audit records could not be written (" + lost + " so far): " + fault.getMessage(),
                        fault);
            }
        }
    }

    /**
     * Writes a record, and returns when it is in the spool.
     *
     * @param record the record
     * @throws AuditException if it could not be written
     */
    public void write(AuditRecord record) {
        String name = name(record);
        Path part = directory.resolve(name + PART);
        try {
            if (!Files.isDirectory(directory)) {
                AuditFiles.createPrivate(store);
                AuditFiles.createPrivate(directory);
            }
            try (SeekableByteChannel file = Files.newByteChannel(
                    part,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(AuditFiles.OWNER_ONLY))) {
                ByteBuffer bytes = ByteBuffer.wrap(record.toJson().getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    file.write(bytes);
                }
            }
            Files.move(part, directory.resolve(name + WHOLE), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException fault) {
            delete(part);
            throw StoreFaults.of(fault, directory);
        }
    }

    /** Returns a unique name that sorts by creation time. */
    private String name(AuditRecord record) {
        String micros = Long.toString(ChronoUnit.MICROS.between(Instant.EPOCH, record.time()));
        return "0".repeat(Math.max(0, 20 - micros.length())) + micros + "-"
                + ProcessHandle.current().pid() + "-" + WRITTEN.incrementAndGet();
    }

    /** {@return how many records of {@link #append} could not be written} */
    public long unwritten() {
        return unwritten.get();
    }

    /** {@return how many records of all processes wait for the store; 0 if the spool cannot be read} */
    public int waiting() {
        return files().size();
    }

    /** Returns the names of the complete files, the oldest first. */
    List<String> files() {
        String[] names = new File(directory.toString()).list((parent, name) -> name.endsWith(WHOLE));
        if (names == null) {
            return List.of();
        }
        Arrays.sort(names);
        return List.of(names);
    }

    String read(String name) throws IOException {
        return Files.readString(directory.resolve(name));
    }

    /** Removes a file whose record is in the store; a file that cannot be removed is not imported again. */
    void remove(String name) {
        delete(directory.resolve(name));
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException fault) {
            LOG.log(Level.DEBUG, "'" + file + "' could not be removed", fault);
        }
    }
}
