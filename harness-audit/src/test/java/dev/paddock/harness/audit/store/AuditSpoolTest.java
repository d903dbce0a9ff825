package dev.paddock.harness.audit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.harness.audit.AuditRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes records without opening the store, and moves them into the chain. */
class AuditSpoolTest {
    @TempDir
    Path temporary;

    private Path directory() {
        return temporary.resolve("audit");
    }

    private Path spooled() {
        return directory().resolve("spool");
    }

    private AuditSpool fill(int first, int last) {
        AuditSpool spool = AuditSpool.of(directory());
        Stores.records(first, last).forEach(spool::append);
        assertThat(spool.unwritten()).isZero();
        return spool;
    }

    @Test
    void recordsEnterChainInOrderOfTheirTimes() throws IOException {
        AuditSpool spool = fill(3, 4);
        fill(1, 2);
        assertThat(spool.waiting()).isEqualTo(4);
        assertThat(directory().resolve("audit.db")).doesNotExist();
        try (Stream<Path> files = Files.list(spooled())) {
            assertThat(files)
                    .allSatisfy(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-------"));
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(spooled())))
                .isEqualTo("rwx------");
        try (AuditStore store = AuditStore.open(directory())) {
            assertThat(store.importSpool()).isEqualTo(4);
            assertThat(store.importSpool()).isZero();
            assertThat(store.query(AuditQuery.all()))
                    .extracting(AuditEntry::record)
                    .containsExactlyElementsOf(Stores.records(1, 4));
            assertThat(store.verify().isWhole()).isTrue();
        }
        assertThat(spool.waiting()).isZero();
        assertThat(spooled()).isEmptyDirectory();
    }

    /** The kill is between the transaction's end and the removal of the files. */
    @Test
    void importThatWasKilledBeforeItRemovedFilesIsNotRepeated() throws IOException {
        fill(1, 3);
        Path copy = Files.createDirectory(temporary.resolve("copy"));
        List<Path> files;
        try (Stream<Path> all = Files.list(spooled())) {
            files = all.toList();
        }
        for (Path file : files) {
            Files.copy(file, copy.resolve(file.getFileName()));
        }
        try (AuditStore store = AuditStore.open(directory())) {
            assertThat(store.importSpool()).isEqualTo(3);
        }
        for (Path file : files) {
            Files.copy(copy.resolve(file.getFileName()), file);
        }
        fill(4, 4);
        try (AuditStore store = AuditStore.open(directory())) {
            assertThat(store.importSpool()).isEqualTo(1);
            assertThat(Stores.ids(store.query(AuditQuery.all()))).containsExactly("1", "2", "3", "4");
        }
    }

    @Test
    void importsAtSameTimeMoveEachRecordOnce() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (AuditStore one = AuditStore.open(directory());
                AuditStore other = AuditStore.open(directory())) {
            List<Future<?>> runs = Stream.of(one, other, one, other)
                    .<Future<?>>map(store -> threads.submit(() -> {
                        AuditSpool spool = AuditSpool.of(directory());
                        for (int number = 1; number <= 50; number++) {
                            spool.write(Stores.record(number));
                            var unused = store.importSpool();
                        }
                    }))
                    .toList();
            for (Future<?> run : runs) {
                run.get(120, TimeUnit.SECONDS);
            }
            assertThat(one.verify()).returns(true, Verification::isWhole).returns(200L, Verification::records);
            assertThat(AuditSpool.of(directory()).waiting()).isZero();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void fileThatIsNoRecordLeavesRecordOfThat() throws IOException {
        fill(1, 1);
        Files.writeString(spooled().resolve("5.json"), "{\"time\":");
        try (AuditStore store = AuditStore.open(directory())) {
            assertThat(store.importSpool()).isEqualTo(2);
            assertThat(store.query(AuditQuery.all().event(AuditRecord.RECORD_UNREADABLE)))
                    .singleElement()
                    .satisfies(entry -> assertThat(entry.record().text("file")).contains("5.json"));
            assertThat(store.verify().isWhole()).isTrue();
        }
    }

    @Test
    void recordThatCannotBeWrittenIsCountedAndNeverThrown() throws IOException {
        Files.write(directory(), new byte[0]);
        AuditSpool spool = AuditSpool.of(directory());
        IntStream.range(0, 3).forEach(number -> spool.append(Stores.record(number)));
        assertThat(spool.unwritten()).isEqualTo(3);
        assertThat(spool.waiting()).isZero();
    }
}
