package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.harness.model.Message;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests that a session that is not open can be read and removed. */
class StoredSessionTest extends SessionTest {
    private Path kept() {
        return home.resolve("session");
    }

    private void keepASession() {
        try (AgentSession session = scripted("{'text': 'Done.'}")) {
            session.prompt("Go");
            session.keepNote("first");
            session.keepNote("{\"model\":\"m\"}");
        }
    }

    @Test
    void closedSessionIsReadAsItWas() throws IOException {
        keepASession();
        StoredSession stored = StoredSession.at(kept());
        assertThat(stored.id()).isEqualTo("session");
        assertThat(stored.firstPrompt()).contains("Go");
        assertThat(stored.messages()).hasSize(2).startsWith(new Message.User("Go"));
        assertThat(stored.note()).contains("{\"model\":\"m\"}");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept().resolve("note"))))
                .isEqualTo("rw-------");
        Files.writeString(kept().resolve("messages.jsonl"), "{\"role\":\"us", StandardOpenOption.APPEND);
        assertThat(stored.messages())
                .as("without the line that a crash has cut off")
                .hasSize(2);
        Files.writeString(kept().resolve("messages.jsonl"), "er\"}\n", StandardOpenOption.APPEND);
        assertThatThrownBy(stored::messages).hasMessageContaining("line 3 of " + kept());
    }

    @Test
    void absentSessionIsRefused() {
        assertThatThrownBy(() -> StoredSession.at(home.resolve("absent")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no session in " + home.resolve("absent"));
    }

    @Test
    void noteHasLessThanOneMebibyte() {
        String longest = "n".repeat((1 << 20) - 1);
        try (AgentSession session = scripted("{'text': 'Done.'}")) {
            session.prompt("Go");
            session.keepNote(longest);
            assertThatThrownBy(() -> session.keepNote(longest + "n")).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(StoredSession.at(kept()).note()).contains(longest);
    }

    /** A directory that came with a repository may be anything. */
    @Test
    void filesLargerThanAnySessionsAreRefused() throws IOException {
        Path shipped = Files.createDirectory(home.resolve("shipped"));
        for (String name : List.of("messages.jsonl", "note", "workspace.json")) {
            try (FileChannel sparse =
                    FileChannel.open(shipped.resolve(name), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                sparse.write(ByteBuffer.wrap(new byte[] {0}), 3L << 30);
            }
        }
        StoredSession stored = StoredSession.at(shipped);

        assertThat(stored.firstPrompt()).isEmpty();
        for (ThrowingCallable call :
                List.<ThrowingCallable>of(stored::messages, stored::note, stored::workspace, stored::remove)) {
            assertThatThrownBy(call)
                    .isInstanceOf(UncheckedIOException.class)
                    .hasStackTraceContaining("3221225473 bytes");
        }
    }

    @Test
    void removalLeavesWhatIsNotSessions() throws IOException {
        keepASession();
        Files.writeString(kept().resolve("logs/command-1.log"), "output");
        Path other = Files.writeString(kept().resolve("thesis.txt"), "by the user");
        assertThat(StoredSession.at(kept()).remove()).isFalse();
        assertThat(kept()).isDirectoryContaining(other::equals).isDirectoryNotContaining(path -> !path.equals(other));
    }

    @Test
    void removalTakesDirectoryAlong() {
        keepASession();
        assertThat(StoredSession.at(kept()).remove()).isTrue();
        assertThat(kept()).doesNotExist();
    }

    @Test
    void liveSessionIsNotRemoved() {
        AgentSession session = scripted("{'text': 'Done.'}");
        session.prompt("Go");
        StoredSession stored = StoredSession.at(kept());
        assertThatThrownBy(stored::remove)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another session is using");
        assertThat(stored.messages()).hasSize(2);
    }
}
