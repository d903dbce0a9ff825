package dev.paddock.cli.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.config.ModelAlias;
import dev.paddock.harness.StoredSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a session's note is read back, and has no password. */
class SessionNoteTest {
    @TempDir
    private Path directory;

    private SessionNote kept(String text) throws IOException {
        Files.writeString(directory.resolve("messages.jsonl"), "{\"role\":\"user\",\"text\":\"Go\"}\n");
        Files.writeString(directory.resolve("note"), text);
        return SessionNote.of(StoredSession.at(directory));
    }

    @Test
    void noteComesBack() throws IOException {
        SessionNote note = new SessionNote(
                Optional.of("/w"),
                Optional.of("id"),
                Optional.of(new SessionNote.LastModel("openai", "m", OptionalInt.of(9), true)),
                List.of(new SessionNote.Checkpoint("second", "s2"), new SessionNote.Checkpoint("first", "s1")));
        assertThat(kept(note.json())).isEqualTo(note);
        assertThat(kept(SessionNote.NONE.json())).isEqualTo(SessionNote.NONE);
    }

    @Test
    void noAddressAndNoKeysVariableIsKept() {
        ModelAlias model = new ModelAlias(
                "", "openai", "m", Optional.of("http://me:secret@host"), Optional.of("MY_KEY"), OptionalInt.empty());
        assertThat(SessionNote.NONE.with(Optional.of(model)).json())
                .doesNotContain("secret", "host", "MY_KEY")
                .contains("\"elsewhere\":true");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no JSON", "[]", "{\"model\":3,\"worktree\":{},\"checkpoints\":7}"})
    void noteOfAnotherProgramIsNone(String text) throws IOException {
        assertThat(kept(text)).isEqualTo(SessionNote.NONE);
    }
}
