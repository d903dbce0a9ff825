package dev.paddock.harness.audit.store;

import dev.paddock.harness.audit.AuditException;
import dev.paddock.harness.audit.AuditException.Kind;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates a store's files, readable only by their owner. A lock on a separate file, which the
 * kernel releases when a process dies, prevents two processes from creating one store concurrently.
 */
final class AuditFiles {
    static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private static final FileAttribute<Set<PosixFilePermission>> PRIVATE_FILE =
            PosixFilePermissions.asFileAttribute(OWNER_ONLY);
    private static final long RETRY_MILLISECONDS = 20;

    private final Path directory;

    AuditFiles(Path directory) {
        this.directory = directory;
    }

    Path database() {
        return directory.resolve("audit.db");
    }

    Path key() {
        return directory.resolve("audit.key");
    }

    /** Creates missing files and checks existing ones. */
    void prepare(Database database, AuditKeys keys, boolean create, Duration timeout) {
        if (!create && !Files.exists(database())) {
            throw new AuditException(
                    Kind.MISSING, "there is no audit store in '" + directory + "'; name the directory that has it");
        }
        locked(timeout, () -> {
            createFile(database());
            try (Connection connection = database.connect()) {
                database.prepare(connection, keys);
            }
        });
    }

    /** Runs an action under an exclusive lock between processes. */
    void locked(Duration timeout, Action action) {
        // A file lock belongs to the whole JVM: it does not exclude threads.
        synchronized (AuditFiles.class) {
            try {
                createPrivate(directory);
                // Closing the channel releases the lock.
                try (FileChannel channel = openLock()) {
                    lock(channel, timeout);
                    action.run();
                }
            } catch (SQLException fault) {
                throw StoreFaults.of(fault, database());
            } catch (ReadOnlyFileSystemException fault) {
                throw StoreFaults.of(fault, directory);
            } catch (IOException fault) {
                throw StoreFaults.of(fault, directory);
            }
        }
    }

    @FunctionalInterface
    interface Action {
        void run() throws IOException, SQLException;
    }

    /** Creates a directory readable only by its owner, if it does not exist. */
    static void createPrivate(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        try {
            Files.createDirectory(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (FileAlreadyExistsException another) {
            // Another process has created it.
        }
    }

    private static void createFile(Path file) throws IOException {
        try {
            if (!Files.exists(file)) {
                Files.createFile(file, PRIVATE_FILE);
            }
        } catch (FileAlreadyExistsException another) {
            // Another process has created it.
        }
    }

    private FileChannel openLock() throws IOException {
        return FileChannel.open(
                directory.resolve("audit.lock"),
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                PRIVATE_FILE);
    }

    private void lock(FileChannel channel, Duration timeout) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (tryLock(channel) == null) {
            if (System.nanoTime() - deadline >= 0) {
                throw locked();
            }
            try {
                Thread.sleep(RETRY_MILLISECONDS);
            } catch (InterruptedException interrupt) {
                Thread.currentThread().interrupt();
                throw locked();
            }
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException anotherClassLoader) {
            return null;
        }
    }

    private AuditException locked() {
        return new AuditException(
                Kind.LOCKED, "another process is opening the audit store in '" + directory + "' for too long; end it");
    }
}
