package dev.paddock.harness.audit.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.harness.audit.AuditException;
import dev.paddock.harness.audit.store.Verification.Break;
import dev.paddock.harness.audit.store.Verification.Reason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads a store, each time from one snapshot: concurrent appends are not visible. */
final class StoreReader {
    private static final Logger LOG = LateLogger.of(StoreReader.class);
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final Database database;
    private final Keyring keyring;

    StoreReader(Database database, Keyring keyring) {
        this.database = database;
        this.keyring = keyring;
    }

    static AuditEntry entry(ResultSet row) throws SQLException {
        return new AuditEntry(row.getLong(1), text(row, 2), text(row, 3), text(row, 4));
    }

    /** Returns a text; empty for a value of another type, which proves tampering. */
    private static String text(ResultSet row, int column) throws SQLException {
        String value = row.getString(column);
        return value == null ? "" : value;
    }

    static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException fault) {
            LOG.log(Level.DEBUG, "a connection to an audit store could not be closed", fault);
        }
    }

    void forEach(AuditQuery query, Consumer<AuditEntry> action) {
        read(connection -> {
            forEach(connection, query, action);
            return true;
        });
    }

    private static void forEach(Connection connection, AuditQuery query, Consumer<AuditEntry> action)
            throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(query.sql())) {
            List<Object> values = query.values();
            for (int index = 0; index < values.size(); index++) {
                select.setObject(index + 1, values.get(index));
            }
            try (ResultSet rows = select.executeQuery()) {
                while (rows.next()) {
                    action.accept(entry(rows));
                }
            }
        }
    }

    void export(AuditQuery query, Appendable to) throws IOException {
        try {
            forEach(query, entry -> {
                try {
                    to.append(entry.toJson()).append('\n');
                } catch (IOException fault) {
                    throw new UncheckedIOException(fault);
                }
            });
        } catch (UncheckedIOException fault) {
            throw fault.getCause();
        }
    }

    static String json(AuditEntry entry) {
        String record = isObject(entry.line()) ? "\"record\":" + entry.line() : "\"text\":" + quoted(entry.line());
        return "{\"seq\":" + entry.seq() + ",\"previous\":" + quoted(entry.previous()) + ",\"mac\":"
                + quoted(entry.mac()) + "," + record + "}";
    }

    private static String quoted(String text) {
        return TextNode.valueOf(text).toString();
    }

    private static boolean isObject(String line) {
        try {
            return line.lines().count() == 1 && JSON.readTree(line).isObject();
        } catch (JsonProcessingException fault) {
            return false;
        }
    }

    AuditHead head() {
        return read(connection -> ChainEnds.read(connection)
                .filter(ends -> ends.hasHead(chain(ends)))
                .orElseThrow(() -> new AuditException(
                        AuditException.Kind.TAMPERED,
                        "the head of the audit store '" + database.file() + "' is missing or was changed; verify it"))
                .head());
    }

    Verification verify(Optional<AuditHead> known) {
        return read(connection -> {
            Optional<ChainEnds> ends = ChainEnds.read(connection);
            if (ends.isEmpty() || !ends.get().hasAnchor(chain(ends.get()))) {
                return new Verification(
                        0, AuditHead.BEGIN, AuditHead.BEGIN, broken(Reason.ANCHOR_EDITED, 1, "where it begins"), 0);
            }
            Chain chain = chain(ends.get());
            AuditHead anchor = ends.get().anchor();
            ChainWalk walk = new ChainWalk(chain, anchor, known);
            Optional<Break> found = known.filter(kept -> kept.seq() == anchor.seq() && !kept.equals(anchor))
                    .flatMap(kept -> ChainWalk.broken(
                            anchor.seq(), Reason.REPLACED, "was pruned, and does not match the head that was kept"));
            if (found.isEmpty()) {
                found = walk(connection, walk);
            }
            if (found.isEmpty() && !ends.get().hasHead(chain)) {
                found = broken(Reason.HEAD_EDITED, walk.position().seq(), "where it ends");
            }
            if (found.isEmpty()) {
                found = walk.end(ends.get().head());
            }
            return new Verification(
                    walk.position().seq() - anchor.seq(), anchor, walk.position(), found, walk.clockSteps());
        });
    }

    private Chain chain(ChainEnds ends) {
        return new Chain(keyring.key(ends.keyId()));
    }

    private static Optional<Break> broken(Reason reason, long seq, String where) {
        return Optional.of(
                new Break(seq, reason, "The signed mark of the chain " + where + " is missing or was changed."));
    }

    private static Optional<Break> walk(Connection connection, ChainWalk walk) throws SQLException {
        try (Statement select = connection.createStatement();
                ResultSet rows = select.executeQuery(AuditQuery.all().sql())) {
            while (rows.next()) {
                Optional<Break> found = walk.step(entry(rows));
                if (found.isPresent()) {
                    return found;
                }
            }
        }
        return Optional.empty();
    }

    private <T> T read(Read<T> action) {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            // One snapshot for all reads.
            statement.execute("BEGIN");
            return action.apply(connection);
        } catch (SQLException fault) {
            throw StoreFaults.of(fault, database.file());
        }
    }

    @FunctionalInterface
    private interface Read<T> {
        T apply(Connection connection) throws SQLException;
    }
}
