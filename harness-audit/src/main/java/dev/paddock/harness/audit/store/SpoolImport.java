package dev.paddock.harness.audit.store;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.harness.audit.AuditException;
import dev.paddock.harness.audit.AuditRecord;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads the records of a spool for one transaction, each exactly once: the transaction that adds a record also stores
 * its file's name, which a later one removes when the file is gone.
 */
final class SpoolImport {
    private static final Logger LOG = LateLogger.of(SpoolImport.class);
    static final int MAX_RECORDS = 10_000;

    private final AuditSpool spool;
    private final Instant now;
    private final List<String> names = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();

    SpoolImport(AuditSpool spool, Instant now) {
        this.spool = spool;
        this.now = now;
    }

    /**
     * Reads the records that are not in the store. Call it within the transaction: no other process imports meanwhile.
     */
    List<String> read(Connection connected) throws SQLException {
        List<String> files = spool.files();
        Set<String> imported = imported(connected);
        for (String name : files) {
            if (!imported.remove(name) && lines.size() < MAX_RECORDS) {
                names.add(name);
                lines.add(line(name));
            }
        }
        // Forget names whose files are gone from the spool.
        change(connected, "DELETE FROM spooled WHERE name = ?", imported);
        change(connected, "INSERT INTO spooled VALUES (?)", names);
        return lines;
    }

    /** Removes the files, after the transaction. */
    void finish() {
        names.forEach(spool::remove);
    }

    private static Set<String> imported(Connection connected) throws SQLException {
        Set<String> names = new HashSet<>();
        try (Statement statement = connected.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS spooled (name TEXT PRIMARY KEY)");
            try (ResultSet rows = statement.executeQuery("SELECT name FROM spooled")) {
                while (rows.next()) {
                    names.add(String.valueOf(rows.getString(1)));
                }
            }
        }
        return names;
    }

    private static void change(Connection connected, String sql, Iterable<String> names) throws SQLException {
        try (PreparedStatement statement = connected.prepareStatement(sql)) {
            for (String name : names) {
                statement.setString(1, name);
                statement.executeUpdate();
            }
        }
    }

    /** Returns a file's record; for an invalid one, a record that reports it. */
    private String line(String name) {
        String problem;
        try {
            String line = spool.read(name);
            var unused = AuditRecord.parse(line);
            if (line.lines().count() == 1) {
                return line;
            }
            problem = "it has several lines";
        } catch (IOException | AuditException fault) {
            problem = FileFaults.reason(fault);
        }
        LOG.log(Level.ERROR, "the spooled audit record '" + name + "' cannot be read: " + problem);
        return AuditRecord.builder(AuditRecord.RECORD_UNREADABLE, AuditRecord.newId(), now)
                .field("file", name)
                .build()
                .toJson();
    }
}
