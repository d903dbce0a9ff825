package dev.paddock.harness.audit.store;

import dev.paddock.harness.audit.AuditException;
import dev.paddock.harness.audit.AuditRecord;
import dev.paddock.harness.audit.AuditSink;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A tamper-evident store of audit records: a SQLite database, {@code audit.db}, and the key of its MACs,
 * {@code audit.key}, in a directory that only its owner may read. Any number of processes may append to one store, and
 * any number of threads to one object.
 *
 * <p><b>What survives.</b> A record survives the death of its process, also by SIGKILL, once {@link #write} has
 * returned, or {@link #flush} after {@link #append}; before that, it is written completely or not at all. By default a
 * power loss may lose the last seconds of records, but leaves an intact chain; with {@link Builder#survivesPowerLoss}
 * writes wait for the disk.
 *
 * <p><b>What {@link #verify} shows.</b> Every change made without the key: records that were edited, swapped, deleted,
 * inserted or cut off. It cannot show that an older copy replaced the whole directory, or that records were cut
 * together with their head, which was restored from an earlier time: for that, keep a {@link #head} elsewhere. A
 * program that can read the key can write a new chain.
 *
 * <p>Defaults: the key file in the directory, created on first use; a busy timeout of 30 seconds for other processes;
 * no waiting for the disk; a missing store is created.
 *
 * @since 0.1
 */
public final class AuditStore implements AuditSink, AutoCloseable {
    private final AuditFiles files;
    private final AuditKeys keys;
    private final Keyring keyring;
    private final AuditSpool spool;
    private final StoreWriter writer;
    private final StoreReader reader;
    private final Clock clock;
    private final AppendQueue queue;
    private final Duration busyTimeout;

    /**
     * The result of pruning.
     *
     * @param removed how many records were removed
     * @param anchor the last record pruned so far
     */
    public record Pruned(long removed, AuditHead anchor) {}

    private AuditStore(Builder builder) {
        files = new AuditFiles(builder.directory);
        keys = new AuditKeys(files.key(), builder.key);
        Database database = new Database(files.database(), builder.busyTimeout, builder.survivesPowerLoss);
        files.prepare(database, keys, builder.create, builder.busyTimeout);
        keyring = new Keyring(keys, files.database());
        spool = AuditSpool.of(builder.directory);
        writer = new StoreWriter(database, keyring);
        reader = new StoreReader(database, keyring);
        clock = builder.clock;
        queue = new AppendQueue(writer::append);
        busyTimeout = builder.busyTimeout;
    }

    /**
     * Opens the store of a directory with the defaults.
     *
     * @param directory the directory; created if it does not exist
     * @return the store; to be closed
     * @throws AuditException if it cannot be opened; its kind says why
     */
    public static AuditStore open(Path directory) {
        return builder(directory).open();
    }

    /**
     * Returns a builder with the defaults.
     *
     * @param directory the directory
     * @return the builder
     */
    public static Builder builder(Path directory) {
        return new Builder(directory);
    }

    /**
     * Accepts a record; the store's own thread writes it. Never throws and never blocks. {@link #unwritten} counts a
     * record that cannot be written, or that finds 10,000 others queued, and the log reports it at the level ERROR.
     *
     * @param record the record
     */
    @Override
    public void append(AuditRecord record) {
        queue.add(record);
    }

    /** {@return how many records of {@link #append} could not be written since the store was opened} */
    public long unwritten() {
        return queue.unwritten();
    }

    /**
     * Waits until the records of earlier calls of {@link #append} have been written, or counted as unwritten.
     *
     * @param longest the longest wait
     * @return whether none of them is still queued
     */
    public boolean flush(Duration longest) {
        return queue.flush(longest);
    }

    /**
     * Writes a record, and returns when it is in the store.
     *
     * @param record the record
     * @throws AuditException if it could not be written; the store is as before
     */
    public void write(AuditRecord record) {
        var unused = appendAll(List.of(record));
    }

    /**
     * Writes records in one transaction, all of them or none, and returns when they are in the store.
     *
     * @param records the records, in their order
     * @return the position of the last one
     * @throws AuditException if they could not be written; the store is as before
     */
    public AuditHead appendAll(List<AuditRecord> records) {
        return writer.append(records);
    }

    /**
     * Returns the records that a query selects.
     *
     * @param query the query
     * @return the records
     * @throws AuditException if the store cannot be read
     */
    public List<AuditEntry> query(AuditQuery query) {
        List<AuditEntry> entries = new ArrayList<>();
        reader.forEach(query, entries::add);
        return entries;
    }

    /**
     * Writes records as JSON, one object a line, in the format of {@link AuditEntry#toJson}.
     *
     * @param query selects the records
     * @param to receives the lines
     * @throws IOException if the receiver throws it
     * @throws AuditException if the store cannot be read
     */
    public void export(AuditQuery query, Appendable to) throws IOException {
        reader.export(query, to);
    }

    /**
     * Follows the store.
     *
     * @param after the number of the last excluded record; 0 for none
     * @return the later records
     */
    public AuditTail tail(long after) {
        return new AuditTail(reader, after);
    }

    /**
     * Returns the position of the last record, for safekeeping outside of the store.
     *
     * @return the position
     * @throws AuditException with {@link AuditException.Kind#TAMPERED} if the position was changed
     */
    public AuditHead head() {
        return reader.head();
    }

    /**
     * Verifies the chain.
     *
     * @return the result, with the first bad record
     * @throws AuditException if the store cannot be read
     */
    public Verification verify() {
        return reader.verify(Optional.empty());
    }

    /**
     * Verifies the chain, and that it continues a position that was kept elsewhere.
     *
     * @param kept an earlier result of {@link #head}; not compared if the record has been pruned since
     * @return the result, with the first bad record
     * @throws AuditException if the store cannot be read
     */
    public Verification verify(AuditHead kept) {
        return reader.verify(Optional.of(kept));
    }

    /**
     * Removes the oldest records, up to the first one younger than an age. Verifies them first, replaces them by a
     * signed mark, and adds a record of their number. Other processes wait meanwhile.
     *
     * @param age the age, by this store's clock
     * @return how many were removed
     * @throws AuditException with {@link AuditException.Kind#TAMPERED} if the chain of these records is broken
     */
    public Pruned pruneOlderThan(Duration age) {
        String before = AuditRecord.format(clock.instant().minus(age));
        return writer.prune(
                (head, entry) -> AuditRecord.format(entry.record().time()).compareTo(before) < 0, clock.instant());
    }

    /**
     * Removes all records but the newest, as {@link #pruneOlderThan} does.
     *
     * @param number how many stay, in addition to the record of the pruning
     * @return how many were removed
     * @throws AuditException with {@link AuditException.Kind#TAMPERED} if the chain of the removed records is broken
     */
    public Pruned pruneToNewest(long number) {
        long keep = Math.max(0, number);
        return writer.prune((head, entry) -> entry.seq() <= head.seq() - keep, clock.instant());
    }

    /**
     * Moves the records of the directory's {@link AuditSpool} into the chain, in the order of their creation, each
     * exactly once, even if several processes do so or are killed.
     *
     * @return how many were moved
     * @throws AuditException if some could not be moved; these stay in the spool
     */
    public int importSpool() {
        int moved = 0;
        int more = spool.waiting() == 0 ? 0 : SpoolImport.MAX_RECORDS;
        while (more == SpoolImport.MAX_RECORDS) {
            more = writer.append(new SpoolImport(spool, clock.instant()));
            moved += more;
        }
        return moved;
    }

    /**
     * Replaces the key file by a new key: verifies the chain, signs every record again, and adds a record of that.
     * Hashes do not change, so a {@link #head} kept elsewhere stays valid. Other processes use the new key from their
     * next record on.
     *
     * @return how many records were signed
     * @throws AuditException with {@link AuditException.Kind#TAMPERED} if the chain is broken, or
     *     {@link AuditException.Kind#KEY_INVALID} if the store's key was given in place of the file
     */
    public long rotateKey() {
        if (keys.isGiven()) {
            throw new AuditException(
                    AuditException.Kind.KEY_INVALID,
                    "the store's key was given, not read from its file; pass the new key to rotateKey");
        }
        AtomicLong signed = new AtomicLong();
        files.locked(busyTimeout, () -> {
            AuditKey next = keys.createNext();
            signed.set(writer.rotate(next, clock.instant()));
            keyring.replace(next);
            keys.settle(next.id());
        });
        return signed.get();
    }

    /**
     * Replaces a key that was {@linkplain Builder#key given}, as {@link #rotateKey()} does. Close this object and
     * others that are open with the old key afterwards.
     *
     * @param next the new key
     * @return how many records were signed
     * @throws AuditException with {@link AuditException.Kind#TAMPERED} if the chain is broken
     */
    public long rotateKey(AuditKey next) {
        long signed = writer.rotate(next, clock.instant());
        keyring.replace(next);
        return signed;
    }

    /**
     * Closes the store after the queued records have been written; waits for them at most 5 seconds longer than the
     * busy timeout. Later records count as unwritten, and other calls throw {@link AuditException}. Idempotent.
     */
    @Override
    public void close() {
        queue.close();
        queue.flush(busyTimeout.plusSeconds(5));
        writer.close();
    }

    /** Collects options. Not safe for use by several threads. */
    public static final class Builder {
        private final Path directory;
        private Optional<AuditKey> key = Optional.empty();
        private Duration busyTimeout = Duration.ofSeconds(30);
        private boolean survivesPowerLoss;
        private boolean create = true;
        private Clock clock = Clock.systemUTC();

        private Builder(Path directory) {
            this.directory = directory;
        }

        /**
         * Sets the key, in place of the key file.
         *
         * @param value the key
         * @return this builder
         */
        public Builder key(AuditKey value) {
            key = Optional.of(value);
            return this;
        }

        /**
         * Sets how long a write waits for other processes.
         *
         * @param value zero or more
         * @return this builder
         */
        public Builder busyTimeout(Duration value) {
            busyTimeout = value;
            return this;
        }

        /**
         * Makes writes wait until the records are on disk.
         *
         * @param value whether it does
         * @return this builder
         */
        public Builder survivesPowerLoss(boolean value) {
            survivesPowerLoss = value;
            return this;
        }

        /**
         * Sets whether a store that does not exist is created.
         *
         * @param value whether it is; if not, opening throws {@link AuditException}
         * @return this builder
         */
        public Builder create(boolean value) {
            create = value;
            return this;
        }

        /**
         * Sets the clock for the age of records.
         *
         * @param value the clock
         * @return this builder
         */
        public Builder clock(Clock value) {
            clock = value;
            return this;
        }

        /**
         * Opens the store.
         *
         * @return the store; to be closed
         * @throws AuditException if it cannot be opened; its kind says why
         */
        public AuditStore open() {
            return new AuditStore(this);
        }
    }
}
