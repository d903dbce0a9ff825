package dev.paddock.harness.audit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.audit.AuditRecord;
import dev.paddock.harness.audit.AuditedExecutor;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Does what docs/audit.md says, by the page's own code. */
class AuditPageTest {
    private static final Path PAGE = Path.of("..", "docs", "audit.md");

    @TempDir
    Path state;

    private final List<String> shown = new ArrayList<>();
    private AuditHead lastVisit = AuditHead.BEGIN;

    private void show(String line) {
        shown.add(line);
    }

    private void keep(AuditHead head) {
        lastVisit = head;
    }

    @Test
    void walkEndsWithTamperedRecord() throws Exception {
        record(HostExecutor.create(), state.toString());
        list(state.resolve("audit"));
        assertThat(shown).hasSize(2).first().asString().contains("\"event\":\"" + AuditRecord.COMMAND + '"');
        assertThat(shown.get(1)).endsWith(" make test");

        verify(state.resolve("audit"));
        assertThat(shown).last().isEqualTo("whole");
        assertThat(lastVisit.seq()).isEqualTo(1);

        export(state.resolve("audit"), state.resolve("export"));
        assertThat(Files.readAllLines(state.resolve("export"))).hasSize(1);

        followAndPrune(state.resolve("audit"));
        assertThat(shown).last().asString().contains("make test");

        tamper();
        verify(state.resolve("audit"));
        assertThat(shown).last().isEqualTo("Record 1 was edited, or put in another's place.");
        assertThat(Files.readString(PAGE)).contains(shown.get(shown.size() - 1));
    }

    @SuppressWarnings("CheckReturnValue")
    private void record(CommandExecutor backend, String worktree) throws InterruptedException {
        try (AuditStore store = AuditStore.open(state.resolve("audit"));
                CommandExecutor executor = AuditedExecutor.builder(backend, store)
                        .session("session-1")
                        .caller(() -> Map.of("user", "ada"))
                        .build()) {
            executor.run("make test", RunOptions.in(worktree));
        }
    }

    private void list(Path directory) {
        try (AuditStore store = AuditStore.builder(directory).create(false).open()) {
            for (AuditEntry entry : store.query(AuditQuery.newest(20))) {
                show(entry.seq() + " " + entry.line());
            }
            for (AuditEntry entry : store.query(AuditQuery.all().session("session-1"))) {
                show(entry.record().time() + " "
                        + entry.record().text("command").orElse(""));
            }
        }
    }

    private void verify(Path directory) {
        try (AuditStore store = AuditStore.builder(directory).create(false).open()) {
            Verification verified = store.verify(lastVisit);
            show(verified.firstBreak().map(Verification.Break::message).orElse("whole"));
            keep(store.head());
        }
    }

    private void export(Path directory, Path export) throws IOException {
        try (AuditStore store = AuditStore.builder(directory).create(false).open();
                Writer file = Files.newBufferedWriter(export)) {
            store.export(AuditQuery.all(), file);
        }
    }

    private void followAndPrune(Path directory) throws InterruptedException {
        try (AuditStore store = AuditStore.open(directory)) {
            AuditTail tail = store.tail(0);
            tail.next(Duration.ofSeconds(1)).ifPresent(entry -> show(entry.line()));
            store.pruneOlderThan(Duration.ofDays(90));
            store.pruneToNewest(100_000);
        }
    }

    private void tamper() throws SQLException, IOException {
        List<String> statements = blocks("sql");
        assertThat(statements).hasSize(1);
        Stores.change(state.resolve("audit"), statements.get(0));
    }

    @Test
    void documentShowsCodeOfThisTest() throws IOException {
        String test = words(Files.readString(
                Path.of("src", "test", "java", "dev", "paddock", "harness", "audit", "store", "AuditPageTest.java")));
        assertThat(blocks("java"))
                .hasSize(5)
                .allSatisfy(block -> assertThat(test).contains(words(block)));
    }

    private static List<String> blocks(String language) throws IOException {
        return Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```$")
                .matcher(Files.readString(PAGE))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private static String words(String code) {
        return code.replaceAll("\\s+", " ").strip();
    }
}
