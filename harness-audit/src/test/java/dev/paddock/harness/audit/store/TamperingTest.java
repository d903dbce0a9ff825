package dev.paddock.harness.audit.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.harness.audit.AuditException;
import dev.paddock.harness.audit.store.Verification.Break;
import dev.paddock.harness.audit.store.Verification.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Changes a store of ten records without its key. */
class TamperingTest {
    @TempDir
    Path directory;

    @BeforeEach
    void fill() {
        try (AuditStore store = AuditStore.open(directory)) {
            var unused = store.appendAll(Stores.records(1, 10));
        }
    }

    private Verification verify() {
        try (AuditStore store = AuditStore.open(directory)) {
            return store.verify();
        }
    }

    private void assertBroken(Verification verification, long seq, Reason reason) {
        assertThat(verification.firstBreak()).get().returns(seq, Break::seq).returns(reason, Break::reason);
        assertThat(verification.isWhole()).isFalse();
    }

    @Test
    void unchangedStoreIsWhole() {
        assertThat(verify())
                .returns(Optional.empty(), Verification::firstBreak)
                .returns(10L, Verification::records)
                .returns(10L, verified -> verified.head().seq());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "an edited line | UPDATE record SET line = replace(line, '\"4\"', '\"5\"') WHERE seq = 4 | 4 | EDITED",
                "a line that is no text | UPDATE record SET line = x'00ff' WHERE seq = 4 | 4 | EDITED",
                "an edited predecessor | UPDATE record SET previous = mac WHERE seq = 4 | 4 | EDITED",
                "an edited MAC | UPDATE record SET mac = previous WHERE seq = 4 | 4 | EDITED",
                "a deleted line | DELETE FROM record WHERE seq = 4 | 4 | MISSING",
                "the first line deleted | DELETE FROM record WHERE seq = 1 | 1 | MISSING",
                "the first lines deleted | DELETE FROM record WHERE seq < 4 | 1 | MISSING",
                "the last line deleted | DELETE FROM record WHERE seq = 10 | 10 | CUT",
                "the last lines deleted | DELETE FROM record WHERE seq > 4 | 5 | CUT",
                "all lines deleted | DELETE FROM record | 1 | CUT",
                "a line inserted again at the end | INSERT INTO record SELECT 11, line, previous, mac FROM record WHERE seq = 4"
                        + " | 11 | EDITED",
                "a line in another's place | UPDATE record SET (line, previous, mac) = (SELECT line, previous, mac FROM record"
                        + " WHERE seq = 3) WHERE seq = 4 | 4 | EDITED",
                "the head removed | DELETE FROM chain | 1 | ANCHOR_EDITED",
                "the head moved back | UPDATE chain SET head_seq = 4, head_hash = (SELECT previous FROM record WHERE seq = 5)"
                        + " | 10 | HEAD_EDITED",
                "the head's MAC changed | UPDATE chain SET head_mac = head_hash | 10 | HEAD_EDITED",
                "the anchor moved | UPDATE chain SET anchor_seq = 3 | 1 | ANCHOR_EDITED",
                "the head's MAC as the anchor's | UPDATE chain SET anchor_seq = head_seq, anchor_hash = head_hash,"
                        + " anchor_mac = head_mac | 1 | ANCHOR_EDITED",
            })
    void eachChangeIsFound(String what, String sql, long seq, Reason reason) throws SQLException {
        Stores.change(directory, sql);
        assertBroken(verify(), seq, reason);
    }

    @Test
    void swappedLinesAreFound() throws SQLException {
        Stores.change(
                directory,
                "UPDATE record SET seq = 99 WHERE seq = 4",
                "UPDATE record SET seq = 4 WHERE seq = 7",
                "UPDATE record SET seq = 7 WHERE seq = 99");
        assertBroken(verify(), 4, Reason.EDITED);
    }

    @Test
    void linesMovedUpOverDeletedOneAreFound() throws SQLException {
        Stores.change(
                directory,
                "DELETE FROM record WHERE seq = 4",
                "UPDATE record SET seq = -seq WHERE seq > 4",
                "UPDATE record SET seq = -seq - 1 WHERE seq < 0");
        assertBroken(verify(), 4, Reason.EDITED);
    }

    /** With records after the cut, the cut is where they do not join. */
    @Test
    void cutBeforeLaterAppendsIsFound() throws SQLException {
        Stores.change(directory, "DELETE FROM record WHERE seq > 8");
        try (AuditStore store = AuditStore.open(directory)) {
            store.write(Stores.record(11));
        }
        assertBroken(verify(), 9, Reason.MISSING);
    }

    @Test
    void editedHeadStopsAppends() throws SQLException {
        Stores.change(directory, "UPDATE chain SET head_seq = 4");
        try (AuditStore store = AuditStore.open(directory)) {
            assertThatThrownBy(() -> store.write(Stores.record(11)))
                    .isInstanceOfSatisfying(
                            AuditException.class,
                            fault -> assertThat(fault.kind()).isEqualTo(AuditException.Kind.TAMPERED));
            assertThatThrownBy(store::head).isInstanceOf(AuditException.class);
        }
    }

    @Test
    void pruningDoesNotRemoveEvidence() throws SQLException {
        Stores.change(directory, "UPDATE record SET line = '{}' WHERE seq = 4");
        try (AuditStore store = AuditStore.open(directory)) {
            assertThatThrownBy(() -> store.pruneToNewest(2))
                    .isInstanceOf(AuditException.class)
                    .hasMessageContaining("Record 4 was edited");
            assertThat(store.query(AuditQuery.all())).hasSize(10);
        }
    }

    @Test
    void linesThatAreNoJsonAreExportedAsTexts() throws Exception {
        Stores.change(directory, "UPDATE record SET line = 'not' || char(10) || 'json' WHERE seq = 4");
        StringBuilder export = new StringBuilder();
        try (AuditStore store = AuditStore.open(directory)) {
            store.export(AuditQuery.all(), export);
            assertThat(store.query(AuditQuery.all().session("even"))).hasSize(4);
            AuditEntry edited = store.query(AuditQuery.all().after(3)).get(0);
            assertThatThrownBy(edited::record).isInstanceOf(AuditException.class);
        }
        assertThat(export.toString().lines()).hasSize(10).element(3).asString().endsWith("\"text\":\"not\\njson\"}");
    }

    /** Who restores an old copy has old, true MACs; a head that was kept elsewhere shows it. */
    @Test
    void olderCopyIsFoundByKeptHeadOnly(@TempDir Path copy) throws IOException {
        copy(directory, copy);
        AuditHead kept;
        try (AuditStore store = AuditStore.open(directory)) {
            kept = store.appendAll(Stores.records(11, 12));
            assertThat(store.verify(kept).isWhole()).isTrue();
            assertThat(store.head()).isEqualTo(kept);
        }
        copy(copy, directory);
        assertThat(verify().isWhole()).isTrue();
        try (AuditStore store = AuditStore.open(directory)) {
            assertBroken(store.verify(kept), 11, Reason.CUT);
            var unused = store.appendAll(Stores.records(13, 14));
            assertBroken(store.verify(kept), 12, Reason.REPLACED);
            assertThat(store.verify().isWhole()).isTrue();
        }
    }

    /** Two continuations of one chain, and a record of the one in the other. */
    @Test
    void recordOfAnotherContinuationIsFound(@TempDir Path copy) throws IOException, SQLException {
        copy(directory, copy);
        try (AuditStore store = AuditStore.open(directory);
                AuditStore other = AuditStore.open(copy)) {
            var unused = store.appendAll(Stores.records(11, 12));
            unused = other.appendAll(Stores.records(21, 22));
        }
        Stores.change(
                directory,
                "ATTACH '" + copy.resolve("audit.db") + "' AS other",
                "UPDATE record SET (line, previous, mac) ="
                        + " (SELECT line, previous, mac FROM other.record WHERE seq = 12) WHERE seq = 12");
        assertBroken(verify(), 12, Reason.WRONG_PREDECESSOR);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(
                        file,
                        to.resolve(file.getFileName()),
                        StandardCopyOption.REPLACE_EXISTING,
                        StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }
}
