package dev.paddock.harness.audit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.harness.audit.AuditException;
import dev.paddock.harness.audit.AuditException.Kind;
import dev.paddock.harness.audit.AuditRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replaces the key of a store. */
class KeyRotationTest {
    @TempDir
    Path directory;

    @TempDir
    Path elsewhere;

    @BeforeEach
    void fill() {
        try (AuditStore store = AuditStore.open(directory)) {
            var unused = store.appendAll(Stores.records(1, 10));
            var unusedToo = store.pruneToNewest(6);
        }
    }

    private Path key() {
        return directory.resolve("audit.key");
    }

    private Path next() {
        return directory.resolve("audit.key.next");
    }

    private static void assertFault(Kind kind, ThrowingCallable action) {
        assertThatThrownBy(action)
                .isInstanceOfSatisfying(
                        AuditException.class, fault -> assertThat(fault.kind()).isEqualTo(kind));
    }

    @Test
    void oldKeyIsWorthNothingAndOldHeadsStillCount() throws IOException {
        String old = Files.readString(key());
        AuditHead kept;
        try (AuditStore store = AuditStore.open(directory)) {
            kept = store.head();
            assertThat(store.rotateKey()).isEqualTo(7);
            assertThat(store.verify(kept))
                    .returns(true, Verification::isWhole)
                    .returns(8L, Verification::records)
                    .returns(4L, verified -> verified.anchor().seq());
            AuditRecord rotated = store.query(AuditQuery.newest(1)).get(0).record();
            assertThat(rotated.event()).isEqualTo(AuditRecord.KEY_ROTATED);
            store.write(Stores.record(11));
        }
        assertThat(Files.readString(key())).isNotEqualTo(old);
        assertThat(next()).doesNotExist();
        try (AuditStore store = AuditStore.open(directory)) {
            assertThat(store.verify(kept).isWhole()).isTrue();
        }
        Files.writeString(key(), old);
        assertFault(Kind.KEY_WRONG, () -> AuditStore.open(directory));
    }

    @Test
    void storesThatAreOpenTakeNewKey() {
        try (AuditStore store = AuditStore.open(directory);
                AuditStore other = AuditStore.open(directory)) {
            other.write(Stores.record(11));
            var unused = store.rotateKey();
            other.write(Stores.record(12));
            assertThat(other.verify().isWhole()).isTrue();
            unused = other.rotateKey();
            store.write(Stores.record(13));
            assertThat(store.head()).isEqualTo(other.head());
            assertThat(store.verify().isWhole()).isTrue();
        }
    }

    @Test
    void processThatAppendsMeanwhileGoesOn() throws Exception {
        Process appender = AppenderProgram.start(directory);
        try (AuditStore store = AuditStore.open(directory)) {
            assertThat(appender.inputReader().readLine()).isNotNull();
            AppenderProgram.drain(appender);
            for (int round = 0; round < 3; round++) {
                var unused = store.rotateKey();
                long last = store.head().seq();
                AuditTail tail = store.tail(last);
                assertThat(tail.next(Duration.ofSeconds(60)))
                        .as("a record of the other process after the rotation")
                        .isPresent();
            }
            assertThat(store.verify().isWhole()).isTrue();
        } finally {
            appender.destroyForcibly().waitFor();
        }
    }

    @Test
    void brokenChainIsNotSignedAgain() throws Exception {
        String old = Files.readString(key());
        Stores.change(directory, "UPDATE record SET line = replace(line, '\"8\"', '\"9\"') WHERE seq = 8");
        try (AuditStore store = AuditStore.open(directory)) {
            assertFault(Kind.TAMPERED, store::rotateKey);
        }
        assertThat(Files.readString(key())).isEqualTo(old);
        try (AuditStore store = AuditStore.open(directory)) {
            assertThat(store.verify().firstBreak()).get().returns(8L, Verification.Break::seq);
        }
    }

    @Test
    void cutChainIsNotSignedAgain() throws SQLException {
        Stores.change(directory, "DELETE FROM record WHERE seq > 8");
        try (AuditStore store = AuditStore.open(directory)) {
            assertFault(Kind.TAMPERED, store::rotateKey);
        }
    }

    /** The kill is after the store has changed, and before the key file has. */
    @Test
    void rotationThatWasCutOffIsCompleted() throws IOException {
        Path old = Files.copy(key(), elsewhere.resolve("key"), StandardCopyOption.COPY_ATTRIBUTES);
        try (AuditStore store = AuditStore.open(directory)) {
            var unused = store.rotateKey();
        }
        String rotated = Files.readString(key());
        Files.move(key(), next());
        Files.copy(old, key(), StandardCopyOption.COPY_ATTRIBUTES);
        try (AuditStore store = AuditStore.open(directory)) {
            assertThat(store.verify().isWhole()).isTrue();
        }
        assertThat(Files.readString(key())).isEqualTo(rotated);
        assertThat(next()).doesNotExist();
    }

    /** The kill is before the store has changed. */
    @Test
    void rotationThatHasNotChangedStoreIsTakenBack() throws IOException {
        String old = Files.readString(key());
        Files.copy(key(), next(), StandardCopyOption.COPY_ATTRIBUTES);
        Files.writeString(next(), "0d".repeat(32) + "\n");
        try (AuditStore store = AuditStore.open(directory)) {
            assertThat(store.verify().isWhole()).isTrue();
        }
        assertThat(Files.readString(key())).isEqualTo(old);
        assertThat(next()).doesNotExist();
    }

    @Test
    void givenKeyIsReplacedByGivenOne() {
        Path other = elsewhere.resolve("audit");
        AuditKey first = AuditKey.ofHex("0a".repeat(32));
        AuditKey second = AuditKey.ofHex("0b".repeat(32));
        try (AuditStore store = AuditStore.builder(other).key(first).open()) {
            store.write(Stores.record(1));
            assertFault(Kind.KEY_INVALID, store::rotateKey);
            assertThat(store.rotateKey(second)).isEqualTo(1);
        }
        assertFault(Kind.KEY_WRONG, () -> AuditStore.builder(other).key(first).open());
        try (AuditStore store = AuditStore.builder(other).key(second).open()) {
            assertThat(store.verify()).returns(true, Verification::isWhole).returns(2L, Verification::records);
        }
    }
}
