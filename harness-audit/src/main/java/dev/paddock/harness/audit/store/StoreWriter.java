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
import java.util.UUID;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Extends the chain, in one transaction each time: the record and the new head become visible to
 * other processes together, or not at all.
 */
final class StoreWriter implements AutoCloseable {
    private final Database database;
    private final Chain chain;
    private @Nullable Connection connection;
    private boolean closed;

    StoreWriter(Database database, AuditKey key) {
        this.database = database;
        chain = new Chain(key);
    }

    synchronized AuditHead append(List<AuditRecord> records) {
        return transact(connected -> extend(connected, requireEnds(connected).head(), records));
    }

    /** Removes the oldest records, as long as a condition on the head and a record holds. */
    synchronized AuditStore.Pruned prune(BiPredicate<AuditHead, AuditEntry> condition, Instant now) {
        return transact(connected -> {
            ChainEnds ends = requireEnds(connected);
            if (!ends.hasAnchor(chain)) {
                throw tampered("the mark of the records that were pruned was changed");
            }
            AuditHead anchor = lastToRemove(connected, ends, condition);
            long removed = anchor.seq() - ends.anchor().seq();
            if (removed > 0) {
                try (PreparedStatement delete = connected.prepareStatement("DELETE FROM record WHERE seq <= ?")) {
                    delete.setLong(1, anchor.seq());
                    delete.executeUpdate();
                }
                ChainEnds.writeAnchor(connected, chain, anchor);
                extend(connected, ends.head(), List.of(pruned(removed, anchor, now)));
            }
            return new AuditStore.Pruned(removed, anchor);
        });
    }

    /** Verifies what is about to be removed: pruning must not remove the evidence of tampering. */
    private AuditHead lastToRemove(Connection connected, ChainEnds ends, BiPredicate<AuditHead, AuditEntry> condition)
            throws SQLException {
        ChainWalk walk = new ChainWalk(chain, ends.anchor(), Optional.empty());
        try (PreparedStatement select =
                        connected.prepareStatement(AuditQuery.all().sql());
                ResultSet rows = select.executeQuery()) {
            while (rows.next()) {
                AuditEntry entry = StoreReader.entry(rows);
                Optional<Verification.Break> broken = walk.step(entry);
                if (broken.isPresent()) {
                    throw tampered(broken.get().message());
                }
                if (!condition.test(ends.head(), entry)) {
                    return walk.beforeLast();
                }
            }
        }
        return walk.position();
    }

    private static AuditRecord pruned(long removed, AuditHead anchor, Instant now) {
        return AuditRecord.builder(AuditRecord.RECORDS_PRUNED, UUID.randomUUID().toString(), now)
                .field("removed", removed)
                .field("through", anchor.seq())
                .build();
    }

    private ChainEnds requireEnds(Connection connected) throws SQLException {
        ChainEnds ends = ChainEnds.read(connected).orElseThrow(() -> tampered("its head is missing"));
        if (!ends.hasHead(chain)) {
            throw tampered("its head was changed");
        }
        return ends;
    }

    private AuditHead extend(Connection connected, AuditHead head, List<AuditRecord> records) throws SQLException {
        AuditHead last = head;
        try (PreparedStatement insert = connected.prepareStatement("INSERT INTO record VALUES (?, ?, ?, ?)")) {
            for (AuditRecord record : records) {
                String line = record.toJson();
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
            throw Faults.of(fault, database.file());
        } finally {
            if (!done) {
                // A connection without its transaction's end: closing it takes everything back.
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
