package dev.paddock.harness.audit.store;

import dev.paddock.harness.audit.AuditRecord;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Makes records, and changes a store as someone without its key would. */
final class Stores {
    static final Instant BEGIN = Instant.parse("2026-03-04T05:06:07Z");

    private Stores() {}

    /** Returns a record whose id is a number, and whose time is as many seconds after the begin. */
    static AuditRecord record(int number) {
        return AuditRecord.builder("test.event", Integer.toString(number), BEGIN.plusSeconds(number))
                .session(number % 2 == 0 ? "even" : "odd")
                .field("text", "line\nbreak, \"quote\", \u20ac")
                .build();
    }

    static List<AuditRecord> records(int first, int last) {
        List<AuditRecord> records = new ArrayList<>();
        for (int number = first; number <= last; number++) {
            records.add(record(number));
        }
        return records;
    }

    static List<String> ids(List<AuditEntry> entries) {
        return entries.stream().map(entry -> entry.record().id()).toList();
    }

    static Connection connect(Path directory) throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("audit.db"));
    }

    /** Locks a store against writers until the connection is closed. */
    static Connection lock(Path directory) throws SQLException {
        Connection connection = connect(directory);
        try (Statement statement = connection.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
        }
        return connection;
    }

    static void change(Path directory, String... statements) throws SQLException {
        try (Connection connection = connect(directory);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
