package dev.paddock.harness.audit.store;

import dev.paddock.harness.audit.AuditException;
import dev.paddock.harness.audit.AuditException.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.sqlite.SQLiteConfig;

/** Connects to a store's SQLite database and creates its schema. */
final class Database {
    /** SQLite's application id in the file's header: "PADA". */
    private static final int APPLICATION = 0x50414441;

    private static final int SCHEMA = 1;

    private final Path file;
    private final Duration busyTimeout;
    private final boolean survivesPowerLoss;

    Database(Path file, Duration busyTimeout, boolean survivesPowerLoss) {
        this.file = file;
        this.busyTimeout = busyTimeout;
        this.survivesPowerLoss = survivesPowerLoss;
    }

    Path file() {
        return file;
    }

    Connection connect() throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.setBusyTimeout((int) Math.min(Integer.MAX_VALUE, busyTimeout.toMillis()));
        config.setSynchronous(
                survivesPowerLoss ? SQLiteConfig.SynchronousMode.FULL : SQLiteConfig.SynchronousMode.NORMAL);
        // A URI, since the driver treats a question mark in a path as the start of options.
        return config.createConnection(
                "jdbc:sqlite:file:" + file.toAbsolutePath().toUri().getRawPath());
    }

    /** Creates the schema in an empty database, or checks the schema and the key of a store. */
    void prepare(Connection connection, AuditKeys keys) throws SQLException, IOException {
        long version = number(connection, "PRAGMA user_version");
        boolean empty = version == 0 && number(connection, "SELECT count(*) FROM sqlite_schema") == 0;
        if (empty) {
            create(connection, keys.create());
            return;
        }
        if (number(connection, "PRAGMA application_id") != APPLICATION) {
            throw new AuditException(
                    Kind.NOT_A_STORE,
                    "'" + file + "' is a database but not an audit store; move it away, or choose another directory");
        }
        if (version > SCHEMA) {
            throw new AuditException(
                    Kind.NEWER_SCHEMA,
                    "the audit store '" + file + "' has the schema " + version + ", but this version of Paddock"
                            + " knows " + SCHEMA + "; use the newer version");
        }
        requireKey(connection, keys);
    }

    private void create(Connection connection, AuditKey key) throws SQLException {
        Chain chain = new Chain(key);
        try (Statement statement = connection.createStatement()) {
            try (ResultSet mode = statement.executeQuery("PRAGMA journal_mode = WAL")) {
                if (!mode.next() || !mode.getString(1).equals("wal")) {
                    throw new AuditException(
                            Kind.UNAVAILABLE,
                            "the file system of '" + file + "' does not support SQLite's write-ahead log; choose a"
                                    + " local directory");
                }
            }
            statement.execute("BEGIN IMMEDIATE");
            statement.execute("PRAGMA application_id = " + APPLICATION);
            statement.execute("PRAGMA user_version = " + SCHEMA);
            statement.execute("CREATE TABLE record (seq INTEGER PRIMARY KEY, line TEXT NOT NULL,"
                    + " previous TEXT NOT NULL, mac TEXT NOT NULL)");
            statement.execute("CREATE TABLE chain (id INTEGER PRIMARY KEY CHECK (id = 1), key_id TEXT NOT NULL,"
                    + " head_seq INTEGER NOT NULL, head_hash TEXT NOT NULL, head_mac TEXT NOT NULL,"
                    + " anchor_seq INTEGER NOT NULL, anchor_hash TEXT NOT NULL, anchor_mac TEXT NOT NULL)");
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO chain VALUES (1, ?, 0, ?, ?, 0, ?, ?)")) {
                insert.setString(1, key.id());
                insert.setString(2, AuditHead.BEGIN.hash());
                insert.setString(3, chain.sign(Chain.Purpose.HEAD, AuditHead.BEGIN));
                insert.setString(4, AuditHead.BEGIN.hash());
                insert.setString(5, chain.sign(Chain.Purpose.ANCHOR, AuditHead.BEGIN));
                insert.executeUpdate();
            }
            statement.execute("COMMIT");
        }
    }

    private void requireKey(Connection connection, AuditKeys keys) throws SQLException, IOException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT key_id FROM chain")) {
            // Without the row, the chain's ends are missing; the first append and verify report that.
            if (row.next()) {
                String id = String.valueOf(row.getString(1));
                keys.settle(id);
                Keyring.requireId(keys.existing(), id, file);
            }
        }
    }

    private static long number(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? row.getLong(1) : 0;
        }
    }
}
