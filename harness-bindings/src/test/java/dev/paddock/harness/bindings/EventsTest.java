package dev.paddock.harness.bindings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.harness.audit.AuditRecord;
import dev.paddock.harness.bindings.BindingEvent.Outcome;
import dev.paddock.harness.bindings.BindingEvent.Scope;
import dev.paddock.harness.files.access.FileException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
            container.workspace().remove("f", false, false);
            container.secrets().get("DB_PASSWORD");
            container.env().keys();
            assertThatThrownBy(() -> container.workspace().read("x/.env")).isInstanceOf(FileException.class);
            assertThatThrownBy(() -> container.workspace().read("a\0b")).isInstanceOf(FileException.class);
            assertThatThrownBy(() -> container.workspace().writeText(".git/config", ""))
                    .isInstanceOf(FileException.class);
            assertThat(records.stream().map(record -> record.fields().get("action")))
                    .containsExactly(
                            "write",
                            "read",
                            "list",
                            "remove",
                            "secret.get",
                            "public.keys",
                            "read-denied",
                            "resolve-path",
                            "write-denied");
            assertThat(fields(1)).isEqualTo("host workspace read success f 4 bytes ");
            assertThat(fields(6)).startsWith("host workspace read-denied denied x/.env");
            records.clear();
        }
        assertThat(fields(0)).startsWith("host container stop success");
    }

    @Test
    void aGuestsEventSaysThatItIsOneAndShowsNoSecret() throws Exception {
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
    void anEventsTextsAreBounded() {
        assertThatThrownBy(() -> BindingEvent.of(Scope.ENV, "a b", Outcome.ERROR))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a b");
        assertThatThrownBy(() -> new BindingEvent(
                        Scope.ENV, "a", Outcome.ERROR, Optional.of("x".repeat(5_000)), Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("4096");
    }
}
