package dev.paddock.harness.audit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paddock.harness.audit.AuditException;
import dev.paddock.harness.audit.AuditRecord;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditStoreTest {
    @TempDir
    Path temporary;

    private Path directory() {
        return temporary.resolve("a dir?with 100% odd#name").resolve("audit");
    }

    private AuditStore open() {
        return AuditStore.builder(directory())
                .clock(Clock.fixed(Stores.BEGIN.plusSeconds(100), ZoneOffset.UTC))
                .open();
    }

    @Test
    void keepsRecordsInFilesThatOnlyTheirOwnerCanRead() throws Exception {
        try (AuditStore store = open()) {
            store.write(Stores.record(1));
            try (Stream<Path> files = Files.list(directory())) {
                assertThat(files)
                        .isNotEmpty()
                        .allSatisfy(
                                file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                                        .isEqualTo("rw-------"));
            }
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory())))
                .isEqualTo("rwx------");
        try (AuditStore store = open()) {
            assertThat(store.query(AuditQuery.all()))
                    .singleElement()
                    .returns(Stores.record(1), AuditEntry::record)
                    .returns(1L, AuditEntry::seq);
            assertThat(store.verify()).returns(true, Verification::isWhole).returns(1L, Verification::records);
        }
    }

    @Test
    void selectsRecords() {
        try (AuditStore store = open()) {
            var unused = store.appendAll(Stores.records(1, 6));
            assertThat(Stores.ids(store.query(AuditQuery.newest(2)))).containsExactly("6", "5");
            assertThat(Stores.ids(store.query(AuditQuery.all().session("odd")))).containsExactly("1", "3", "5");
            assertThat(Stores.ids(store.query(AuditQuery.all().id("4")))).containsExactly("4");
            assertThat(Stores.ids(store.query(AuditQuery.all().event("other")))).isEmpty();
            assertThat(Stores.ids(store.query(AuditQuery.all()
                            .since(Stores.BEGIN.plusSeconds(2))
                            .until(Stores.BEGIN.plusSeconds(5))
                            .after(2)
                            .limit(1))))
                    .containsExactly("3");
        }
    }

    /** Verifies as an auditor without Paddock would: the chain's texts are those of the page. */
    @Test
    void exportCanBeCheckedWithKeyAlone() throws Exception {
        StringBuilder export = new StringBuilder();
        try (AuditStore store = open()) {
            var unused = store.appendAll(Stores.records(1, 3));
            store.export(AuditQuery.all(), export);
        }
        Mac mac = Mac.getInstance("HmacSHA256");
        String key = Files.readString(directory().resolve("audit.key")).strip();
        mac.init(new SecretKeySpec(HexFormat.of().parseHex(key), "HmacSHA256"));
        String hash = "0".repeat(64);
        List<String> lines = export.toString().lines().toList();
        assertThat(lines).hasSize(3);
        for (String line : lines) {
            JsonNode json = new ObjectMapper().readTree(line);
            String record = line.substring(line.indexOf("\"record\":") + 9, line.length() - 1);
            assertThat(json.path("previous").asText()).isEqualTo(hash);
            String text = "paddock-audit-1\n" + json.path("seq").asLong() + "\n" + hash + "\n" + record;
            hash = hex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
            String signed = "paddock-audit-1\nRECORD\n" + json.path("seq").asLong() + "\n" + hash;
            assertThat(json.path("mac").asText()).isEqualTo(hex(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8))));
        }
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void prunesByAgeAndByNumberAndStaysWhole() {
        try (AuditStore store = open()) {
            AuditHead kept = store.appendAll(Stores.records(1, 4));
            var unused = store.appendAll(Stores.records(5, 10));
            // The clock says 100 s: records 1 to 6 are older than 93 s.
            assertThat(store.pruneOlderThan(Duration.ofSeconds(93)).removed()).isEqualTo(6);
            assertThat(store.query(AuditQuery.all()))
                    .extracting(AuditEntry::seq)
                    .containsExactly(7L, 8L, 9L, 10L, 11L);
            AuditRecord pruning = store.query(AuditQuery.newest(1)).get(0).record();
            assertThat(pruning.event()).isEqualTo(AuditRecord.RECORDS_PRUNED);
            assertThat(pruning.fields()).containsEntry("removed", 6L).containsEntry("through", 6L);

            assertThat(store.pruneToNewest(2).removed()).isEqualTo(3);
            assertThat(store.pruneToNewest(3).removed()).isZero();
            assertThat(store.verify(kept))
                    .returns(true, Verification::isWhole)
                    .returns(3L, Verification::records)
                    .returns(9L, verified -> verified.anchor().seq());
            assertThat(store.pruneToNewest(0).removed()).isEqualTo(3);
            store.write(Stores.record(11));
            assertThat(store.verify().isWhole()).isTrue();
        }
    }

    @Test
    void followsWhatAnotherStoreObjectAppends() throws Exception {
        try (AuditStore store = open();
                AuditStore other = open()) {
            var unused = other.appendAll(Stores.records(1, 3));
            AuditTail tail = store.tail(1);
            assertThat(tail.next(Duration.ZERO).orElseThrow().seq()).isEqualTo(2);
            assertThat(tail.next(Duration.ZERO).orElseThrow().seq()).isEqualTo(3);
            assertThat(tail.next(Duration.ZERO)).isEmpty();
            ExecutorService thread = Executors.newSingleThreadExecutor();
            try {
                Future<AuditEntry> next =
                        thread.submit(() -> tail.next(Duration.ofSeconds(60)).orElseThrow());
                other.write(Stores.record(4));
                assertThat(next.get(60, TimeUnit.SECONDS).record()).isEqualTo(Stores.record(4));
            } finally {
                thread.shutdownNow();
            }
        }
    }

    @Test
    void clockThatGoesBackwardsIsCountedAndBreaksNothing() {
        try (AuditStore store = open()) {
            for (int number : new int[] {5, 3, 4, 1}) {
                store.write(Stores.record(number));
            }
            assertThat(store.verify()).returns(true, Verification::isWhole).returns(2L, Verification::clockSteps);
            // Younger than the age: the older ones behind it stay until it is old enough.
            assertThat(store.pruneOlderThan(Duration.ofSeconds(96)).removed()).isZero();
            assertThat(store.pruneOlderThan(Duration.ofSeconds(94)).removed()).isEqualTo(4);
        }
    }

    @Test
    void closedStoreAcceptsNoRecord() {
        AuditStore store = open();
        store.close();
        store.close();
        assertThatThrownBy(() -> store.write(Stores.record(1)))
                .isInstanceOfSatisfying(
                        AuditException.class, fault -> assertThat(fault.kind()).isEqualTo(AuditException.Kind.CLOSED));
    }

    @Test
    void appendsOfManyThreadsAndWithDiskAreOneChain() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (AuditStore store =
                        AuditStore.builder(directory()).survivesPowerLoss(true).open();
                AuditStore other = open()) {
            List<Future<?>> appends = Stream.of(store, other, store, other)
                    .<Future<?>>map(
                            sink -> threads.submit(() -> Stores.records(1, 50).forEach(sink::write)))
                    .toList();
            for (Future<?> append : appends) {
                append.get(120, TimeUnit.SECONDS);
            }
            assertThat(store.verify()).returns(true, Verification::isWhole).returns(200L, Verification::records);
        } finally {
            threads.shutdownNow();
        }
    }
}
