package dev.paddock.harness.audit.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Appends records that the store writes later, or cannot write. */
class AppendTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private long written() {
        try (AuditStore store = AuditStore.builder(directory).create(false).open()) {
            assertThat(store.verify().isWhole()).isTrue();
            return store.verify().records();
        }
    }

    @Test
    void closingWritesQueuedRecords() {
        try (AuditStore store = AuditStore.open(directory)) {
            Stores.records(1, 2_000).forEach(store::append);
        }
        assertThat(written()).isEqualTo(2_000);
        try (AuditStore store = AuditStore.open(directory)) {
            assertThat(Stores.ids(store.query(AuditQuery.all())))
                    .startsWith("1", "2", "3")
                    .endsWith("2000");
        }
    }

    @Test
    void whatCannotBeWrittenIsCountedAndRestIsWritten() throws Exception {
        try (AuditStore store = AuditStore.builder(directory)
                .busyTimeout(Duration.ofMillis(200))
                .open()) {
            Connection lock = Stores.lock(directory);
            try {
                store.append(Stores.record(1));
                store.append(Stores.record(2));
                assertThat(store.flush(PATIENCE)).isTrue();
                assertThat(store.unwritten()).isEqualTo(2);
            } finally {
                lock.close();
            }
            store.append(Stores.record(3));
            assertThat(store.flush(PATIENCE)).isTrue();
            assertThat(store.unwritten()).isEqualTo(2);
            assertThat(Stores.ids(store.query(AuditQuery.all()))).containsExactly("3");
        }
    }

    @Test
    void lockedStoreFillsNoMemory() throws Exception {
        int number = AppendQueue.MAX_RECORDS + 5_000;
        try (AuditStore store = AuditStore.open(directory)) {
            Connection lock = Stores.lock(directory);
            try {
                Stores.records(1, number).forEach(store::append);
                assertThat(store.unwritten()).isBetween(4_000L, 5_000L);
                assertThat(store.flush(Duration.ofMillis(1))).isFalse();
            } finally {
                lock.close();
            }
            assertThat(store.flush(PATIENCE)).isTrue();
            assertThat(store.verify().records() + store.unwritten()).isEqualTo(number);
        }
    }

    @Test
    void closedStoreCounts() {
        AuditStore store = AuditStore.open(directory);
        store.close();
        store.append(Stores.record(1));
        assertThat(store.unwritten()).isEqualTo(1);
        assertThat(written()).isZero();
    }
}
