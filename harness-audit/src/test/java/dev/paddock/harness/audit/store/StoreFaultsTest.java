package dev.paddock.harness.audit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.tck.subject.Prerequisite;
import dev.paddock.harness.audit.AuditException;
import dev.paddock.harness.audit.AuditException.Kind;
import dev.paddock.harness.audit.AuditRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opens and extends stores that cannot be used, and says why. */
class StoreFaultsTest {
    @TempDir
    Path directory;

    private Path database() {
        return directory.resolve("audit.db");
    }

    private Path key() {
        return directory.resolve("audit.key");
    }

    private static void assertFault(Kind kind, ThrowingCallable action) {
        assertThatThrownBy(action)
                .isInstanceOfSatisfying(
                        AuditException.class, fault -> assertThat(fault.kind()).isEqualTo(kind));
    }

    private void assertOpenFails(Kind kind) {
        assertFault(kind, () -> AuditStore.open(directory).close());
    }

    private void fill() {
        try (AuditStore store = AuditStore.open(directory)) {
            var unused = store.appendAll(Stores.records(1, 3));
        }
    }

    @Test
    void lockedDatabaseIsReported() throws Exception {
        fill();
        try (AuditStore store = AuditStore.builder(directory)
                        .busyTimeout(Duration.ofMillis(200))
                        .open();
                AuditStore patient = AuditStore.open(directory)) {
            Process holder = AppenderProgram.start(LockHolderProgram.class, directory);
            try {
                assertThat(holder.inputReader().readLine()).isEqualTo("locked");
                assertFault(Kind.LOCKED, () -> store.write(Stores.record(4)));
                // Readers do not wait for writers.
                assertThat(store.verify().records()).isEqualTo(3);
            } finally {
                holder.destroyForcibly().waitFor();
            }
            store.write(Stores.record(4));
            patient.write(Stores.record(5));
            assertThat(store.verify()).returns(true, Verification::isWhole).returns(5L, Verification::records);
        }
    }

    @Test
    void fileThatIsNoDatabaseIsReported() throws IOException {
        Files.writeString(database(), "this is no database, and longer than its header would be\n".repeat(20));
        assertOpenFails(Kind.NOT_A_STORE);
    }

    @Test
    void foreignDatabaseIsReported() throws Exception {
        Stores.change(directory, "CREATE TABLE other (id INTEGER)");
        assertOpenFails(Kind.NOT_A_STORE);
    }

    @Test
    void newerSchemaIsReported() throws Exception {
        fill();
        Stores.change(directory, "PRAGMA user_version = 2");
        assertOpenFails(Kind.NEWER_SCHEMA);
    }

    @Test
    void missingStoreIsReported() throws IOException {
        assertFault(
                Kind.MISSING, () -> AuditStore.builder(directory).create(false).open());
        assertThat(directory).isEmptyDirectory();
        fill();
        AuditStore.builder(directory).create(false).open().close();
        Files.write(directory.resolve("file"), new byte[0]);
        assertFault(
                Kind.UNAVAILABLE,
                () -> AuditStore.open(directory.resolve("file").resolve("audit")));
    }

    @Test
    void faultOfFileSystemIsSaidInWords() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        assertThatThrownBy(() -> AuditStore.open(file.resolve("audit")))
                .hasMessageContainingAll("'" + file + "' is no directory", "choose another directory")
                .hasMessageNotContaining("Exception");
    }

    @Test
    void missingKeyIsReportedAndNotReplaced() throws IOException {
        fill();
        Files.delete(key());
        assertOpenFails(Kind.KEY_MISSING);
        assertThat(key()).doesNotExist();
    }

    @Test
    void wrongKeyIsReported() throws IOException {
        fill();
        Files.writeString(key(), "0f".repeat(32) + "\n");
        assertOpenFails(Kind.KEY_WRONG);
    }

    @Test
    void invalidKeyIsReported() throws IOException {
        fill();
        Files.writeString(key(), "short\n");
        assertOpenFails(Kind.KEY_INVALID);
        assertFault(Kind.KEY_INVALID, () -> AuditKey.ofHex("g".repeat(64)));
    }

    @Test
    void keyReadableByOthersIsReported() throws IOException {
        fill();
        Files.setPosixFilePermissions(key(), PosixFilePermissions.fromString("rw-r-----"));
        assertOpenFails(Kind.KEY_INVALID);
    }

    @Test
    void givenKeyReplacesFile() {
        AuditKey given = AuditKey.ofHex("0a".repeat(32));
        try (AuditStore store = AuditStore.builder(directory).key(given).open()) {
            store.write(Stores.record(1));
            assertThat(store.verify().isWhole()).isTrue();
        }
        assertThat(key()).doesNotExist();
        assertThat(given.toString()).doesNotContain("0a0a");
        assertFault(
                Kind.KEY_WRONG,
                () -> AuditStore.builder(directory)
                        .key(AuditKey.ofHex("0b".repeat(32)))
                        .open());
    }

    @Test
    void fullDiskIsReported() throws Exception {
        mountSmallFileSystem();
        try {
            AuditRecord large = AuditRecord.builder("test.event", "1", Stores.BEGIN)
                    .field("text", "x".repeat(100_000))
                    .build();
            try (AuditStore store = AuditStore.open(directory)) {
                Path ballast = Files.write(directory.resolve("ballast"), new byte[600_000]);
                assertFault(Kind.DISK_FULL, () -> {
                    for (int number = 0; number < 100; number++) {
                        store.write(large);
                    }
                });
                Verification full = store.verify();
                assertThat(full.isWhole()).isTrue();
                Files.delete(ballast);
                store.write(Stores.record(1));
                assertThat(store.verify())
                        .returns(true, Verification::isWhole)
                        .returns(full.records() + 1, Verification::records);
            }
        } finally {
            run("umount", directory.toString());
        }
    }

    @Test
    void readOnlyDirectoryIsReported() throws Exception {
        mountSmallFileSystem();
        try {
            fill();
            run("mount", "-o", "remount,ro", directory.toString());
            assertOpenFails(Kind.READ_ONLY);
        } finally {
            run("umount", directory.toString());
        }
    }

    private void mountSmallFileSystem() throws Exception {
        Prerequisite.require("root".equals(System.getProperty("user.name")), "only root can mount a file system");
        run("mount", "-t", "tmpfs", "-o", "size=1m", "none", directory.toString());
    }

    private static void run(String... command) throws Exception {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }
}
