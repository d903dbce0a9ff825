package dev.paddock.harness.audit.store;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Holds a store's database locked until its input ends, and prints a line when it does. */
final class LockHolderProgram {
    private LockHolderProgram() {}

    public static void main(String[] arguments) throws SQLException, IOException {
        try (Connection connection = Stores.connect(Path.of(arguments[0]));
                Statement statement = connection.createStatement()) {
            statement.execute("BEGIN IMMEDIATE");
            System.out.println("locked");
            int unused = System.in.read();
        }
    }
}
