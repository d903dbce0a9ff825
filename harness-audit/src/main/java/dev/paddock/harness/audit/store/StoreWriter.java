package dev.paddock.harness.audit.store;

import dev.paddock.harness.audit.AuditException;
import dev.paddock.harness.audit.AuditException.Kind;
import dev.paddock.harness.audit.AuditRecord;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Extends the chain, in one transaction each time: the record and the new head become visible to other processes
 * together, or not at all.
 */
final class StoreWriter implements AutoCloseable {
    private final Database database;
    private final Keyring keyring;
    private @Nullable Connection connection;
    private boolean closed;

    StoreWriter(Database database, Keyring keyring) {
        this.database = database;
        this.keyring = keyring;
    }

    synchronized AuditHead append(List<AuditRecord> records) {
        List<String> lines = records.stream().map(AuditRecord::toJson).toList();
        return transact(connected -> {
            ChainEnds ends = requireEnds(connected);
            return extend(connected, chain(ends), ends.head(), lines);
        });
    }

    /** Moves records from a spool, and returns how many. */
    synchronized int append(SpoolImport spooled) {
        int number = transact(connected -> {
            ChainEnds ends = requireEnds(connected);
            List<String> lines = spooled.read(connected);
            if (!lines.isEmpty()) {
                var unused = extend(connected, chain(ends), ends.head(), lines);
            }
            return lines.size();
        });
        spooled.finish();
        return number;
    }

    /**
     * Verifies the chain, signs it with another key, and adds a record of that.
     *
     * @return how many records were signed
     */
    synchronized long rotate(AuditKey next, Instant now) {
        return transact(connected -> {
            ChainEnds ends = requireEnds(connected);
            requireAnchor(ends);
            long signed = signAgain(connected, ends, new Chain(next));
            ChainEnds.writeAnchor(connected, new Chain(next), ends.anchor());
            ChainEnds.writeKey(connected, next);
            AuditRecord rotated = AuditRecord.builder(AuditRecord.KEY_ROTATED, AuditRecord.newId(), now)
                    .field("from", ends.keyId())
                    .field("to", next.id())
                    .build();
            var unused = extend(connected, new Chain(next), ends.head(), List.of(rotated.toJson()));
            return signed;
        });
    }

    private long signAgain(Connection connected, ChainEnds ends, Chain next) throws SQLException {
        ChainWalk walk = new ChainWalk(chain(ends), ends.anchor(), Optional.empty());
        try (PreparedStatement select =
                        connected.prepareStatement(AuditQuery.all().sql());
                ResultSet rows = select.executeQuery();
                PreparedStatement update = connected.prepareStatement("UPDATE record SET mac = ? WHERE seq = ?")) {
            while (rows.next()) {
                requireWhole(walk.step(StoreReader.entry(rows)));
                update.setString(1, next.sign(Chain.Purpose.RECORD, walk.position()));
                update.setLong(2, walk.position().seq());
                update.executeUpdate();
            }
        }
        requireWhole(walk.end(ends.head()));
        return walk.position().seq() - ends.anchor().seq();
    }

    private void requireWhole(Optional<Verification.Break> broken) {
        if (broken.isPresent()) {
            throw tampered(broken.get().message());
        }
    }

    private void requireAnchor(ChainEnds ends) {
        if (!ends.hasAnchor(chain(ends))) {
            throw tampered("the mark of the records that were pruned was changed");
        }
    }

    private Chain chain(ChainEnds ends) {
        return new Chain(keyring.key(ends.keyId()));
    }

    /** Removes the oldest records while a condition on the head and the record is true. */
    synchronized AuditStore.Pruned prune(BiPredicate<AuditHead, AuditEntry> condition, Instant now) {
        return transact(connected -> {
            ChainEnds ends = requireEnds(connected);
            requireAnchor(ends);
            Chain chain = chain(ends);
            AuditHead anchor = lastToRemove(connected, ends, condition);
            long removed = anchor.seq() - ends.anchor().seq();
            if (removed > 0) {
                try (PreparedStatement delete = connected.prepareStatement("DELETE FROM record WHERE seq <= ?")) {
                    delete.setLong(1, anchor.seq());
                    delete.executeUpdate();
                }
                ChainEnds.writeAnchor(connected, chain, anchor);
                var unused = extend(
                        connected,
                        chain,
                        ends.head(),
                        List.of(pruned(removed, anchor, now).toJson()));
            }
            return new AuditStore.Pruned(removed, anchor);
        });
    }

    /** Verifies the records before their removal: pruning must not destroy evidence of tampering. */
    private AuditHead lastToRemove(Connection connected, ChainEnds ends, BiPredicate<AuditHead, AuditEntry> condition)
            throws SQLException {
        ChainWalk walk = new ChainWalk(chain(ends), ends.anchor(), Optional.empty());
        try (PreparedStatement select =
                        connected.prepareStatement(AuditQuery.all().sql());
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                AuditEntry entry = StoreReader.entry(rows);
                requireWhole(walk.step(entry));
                if (!condition.test(ends.head(), entry)) {
                    return walk.beforeLast();
                }
            }
        }
        return walk.position();
    }

    private static AuditRecord pruned(long removed, AuditHead anchor, Instant now) {
        return AuditRecord.builder(AuditRecord.RECORDS_PRUNED, AuditRecord.newId(), now)
                .field("removed", removed)
                .field("through", anchor.seq())
                .build();
    }

    private ChainEnds requireEnds(Connection connected) throws SQLException {
        ChainEnds ends = ChainEnds.read(connected).orElseThrow(() -> tampered("its head is missing"));
        if (!ends.hasHead(chain(ends))) {
            throw tampered("its head was changed");
        }
        return ends;
    }

    private static AuditHead extend(Connection connected, Chain chain, AuditHead head, List<String> lines)
            throws SQLException {
        AuditHead last = head;
        try (PreparedStatement insert = connected.prepareStatement("INSERT INTO record VALUES (?, ?, ?, ?)")) {
            for (String line : lines) {
                AuditHead next = chain.next(last, line);
                insert.setLong(1, next.seq());
                insert.setString(2, line);
                insert.setString(3, last.hash());
                insert.setString(4, chain.sign(Chain.Purpose.RECORD, next));
                insert.executeUpdate();
                last = next;
            }
        }
        ChainEnds.writeHead(connected, chain, last);
        return last;
    }

    private AuditException tampered(String problem) {
        return new AuditException(
                Kind.TAMPERED,
                "the audit store '" + database.file() + "' was tampered with: " + problem
                        + "; export and verify it, then move it away to begin a new one");
    }

    private <T> T transact(Change<T> change) {
        if (closed) {
            throw new AuditException(Kind.CLOSED, "the audit store '" + database.file() + "' has been closed");
        }
        boolean done = false;
        try {
            if (connection == null) {
                connection = database.connect();
            }
            Connection connected = connection;
            execute(connected, "BEGIN IMMEDIATE");
            T result = change.apply(connected);
            execute(connected, "COMMIT");
            done = true;
            return result;
        } catch (SQLException fault) {
            throw StoreFaults.of(fault, database.file());
        } finally {
            if (!done) {
                // Closing a connection with an open transaction rolls it back.
                disconnect();
            }
        }
    }

    private static void execute(Connection connected, String sql) throws SQLException {
        try (Statement statement = connected.createStatement()) {
            statement.execute(sql);
        }
    }

    private void disconnect() {
        Connection connected = connection;
        connection = null;
        if (connected != null) {
            StoreReader.closeQuietly(connected);
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        disconnect();
    }

    @FunctionalInterface
    private interface Change<T> {
        T apply(Connection connected) throws SQLException;
    }
}
