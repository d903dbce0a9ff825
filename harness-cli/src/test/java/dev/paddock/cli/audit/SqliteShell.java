package dev.paddock.cli.audit;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** Executes one statement on a database, in place of the program sqlite3. */
final class SqliteShell {
    private SqliteShell() {}

    static void execute(Path database, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + database);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    public static void main(String[] arguments) throws SQLException {
        execute(Path.of(arguments[0]), arguments[1]);
    }
}
