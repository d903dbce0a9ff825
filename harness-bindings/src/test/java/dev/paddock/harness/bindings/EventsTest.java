package dev.paddock.harness.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.audit.AuditRecord;
import dev.paddock.harness.bindings.BindingEvent.Outcome;
import dev.paddock.harness.bindings.BindingEvent.Scope;
import dev.paddock.harness.files.access.FileException;
import dev.paddock.harness.files.workspace.GrepQuery;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventsTest {
    private static final String CANARY = "canary-4711";

    @TempDir
    Path root;

    private final List<AuditRecord> records = new ArrayList<>();

    private String fields(int at) {
        return records.get(at).fields().values().stream().map(String::valueOf).reduce("", (a, b) -> a + b + " ");
    }

    @Test
    void everyOperationIsRecordedWithItsOutcome() throws Exception {
        Files.writeString(root.resolve(".env"), "A=1\nDB_PASSWORD=" + CANARY);
        try (AgentContainer container =
                AgentContainer.builder(root).audit(records::add).build()) {
            container.start();
            assertThat(fields(0)).startsWith("host container start success");
            assertThat(fields(1)).isEqualTo("host env resolve success 1 public, 1 secret ");
            records.clear();
            container.workspace().writeText("f", "four");
            container.workspace().readText("f");
            container.workspace().list(".");
            container.workspace().stat("f");
            container.workspace().glob(List.of("f", "*.x"), AbortSignal.never());
            container.workspace().grep(GrepQuery.text("fo"), AbortSignal.never());
            container.workspace().remove("f", false, false);
            container.secrets().get("DB_PASSWORD");
            container.secrets().keys();
            container.env().get("A");
            container.env().get("UNKNOWN");
            container.env().keys();
            assertThatThrownBy(() -> container.workspace().read("x/.env")).isInstanceOf(FileException.class);
            assertThatThrownBy(() -> container.workspace().read("a\0b")).isInstanceOf(FileException.class);
            assertThatThrownBy(() -> container.workspace().writeText(".git/config", ""))
                    .isInstanceOf(FileException.class);
            assertThatThrownBy(() -> container.workspace().list("gone")).isInstanceOf(FileException.class);
            assertThat(IntStream.range(0, records.size()).mapToObj(this::fields))
                    .satisfiesExactly(
                            is("host workspace write success f 4 bytes "),
                            is("host workspace read success f 4 bytes "),
                            is("host workspace list success . 2 entries "),
                            is("host workspace stat success f "),
                            is("host workspace glob success f *.x 1 matches "),
                            is("host workspace grep success fo 1 matches "),
                            is("host workspace remove success f "),
                            is("host env secret.get success DB_PASSWORD file:.env "),
                            is("host env secret.keys success 1 "),
                            is("host env public.get success A file:.env "),
                            is("host env public.get success UNKNOWN "),
                            is("host env public.keys success 1 "),
                            begins("host workspace read-denied denied x/.env x/.env is not readable"),
                            begins("host workspace resolve-path error a"),
                            begins("host workspace write-denied denied .git/config .git/config"),
                            begins("host workspace list error gone no such file or directory: gone"));
            records.clear();
        }
        assertThat(fields(0)).startsWith("host container stop success");
    }

    private static ThrowingConsumer<String> is(String text) {
        return fields -> assertThat(fields).isEqualTo(text);
    }

    private static ThrowingConsumer<String> begins(String text) {
        return fields -> assertThat(fields).startsWith(text);
    }

    @Test
    void eventHasTimeOfClockAndFieldsThatItWasGivenAlone() {
        Clock clock = Clock.fixed(Instant.parse("2026-04-20T01:02:03.000004Z"), ZoneOffset.UTC);
        try (AgentContainer container =
                AgentContainer.builder(root).audit(records::add).clock(clock).build()) {
            container.observe(BindingEvent.of(Scope.NET, "mine", Outcome.ERROR));
        }
        AuditRecord mine = records.stream()
                .filter(record -> "mine".equals(record.fields().get("action")))
                .findFirst()
                .orElseThrow();
        assertThat(mine.toJson()).contains("\"time\":\"2026-04-20T01:02:03.000004Z\"");
        assertThat(mine.fields())
                .isEqualTo(Map.of("origin", "guest", "scope", "net", "action", "mine", "outcome", "error"));
    }

    @Test
    void guestsEventSaysThatItIsOneAndShowsNoSecret() throws Exception {
        Files.writeString(root.resolve(".env"), "DB_PASSWORD=" + CANARY);
        try (AgentContainer container =
                AgentContainer.builder(root).audit(records::add).build()) {
            container.start();
            records.clear();
            container.observe(new BindingEvent(
                    Scope.CONTAINER,
                    "start",
                    Outcome.SUCCESS,
                    Optional.of("origin=host"),
                    Optional.of("the password is " + CANARY)));
        }
        assertThat(fields(0)).startsWith("guest container start success origin=host");
        assertThat(records.getFirst().toJson()).doesNotContain(CANARY);
    }

    @Test
    void eventsTextsAreBounded() {
        assertThatThrownBy(() -> BindingEvent.of(Scope.ENV, "a b", Outcome.ERROR))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a b");
        assertThatThrownBy(() -> new BindingEvent(
                        Scope.ENV, "a", Outcome.ERROR, Optional.of("x".repeat(5_000)), Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("4096");
    }
}
