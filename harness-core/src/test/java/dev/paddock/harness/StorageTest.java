package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.store.SessionDirectory;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that messages are stored as JSON lines, and that sessions resume from them. */
class StorageTest extends SessionTest {
    private static final String TWO_TURNS =
            "{'text': 'Look.', 'calls': [{'tool': 'bash', 'arguments': {'command': 'echo h\\u00e9llo'}}]},"
                    + "{'text': 'Done.'}";

    private Path messages() {
        return home.resolve("session/messages.jsonl");
    }

    private AgentSession resume(Model model) {
        return open(builder(model).resume(home.resolve("session")));
    }

    @Test
    void sessionResumesFromItsStoredMessages() throws IOException {
        AgentSession first = scripted(TWO_TURNS);
        first.prompt("Go");
        first.close();
        assertThat(Files.readAllLines(messages()))
                .hasSize(4)
                .allSatisfy(line -> assertThat(line).startsWith("{\"role\":\""));
        // The first session has disposed of its executor.
        AgentSession second = open(builder((request, listener) -> {
                    assertThat(request.messages()).startsWith(first.messages().toArray(new Message[0]));
                    assertThat(request.messages().getLast()).isEqualTo(new Message.User("Go on"));
                    return AssistantTurn.saying("Gone on.");
                })
                .executor(HostExecutor.create())
                .resume(home.resolve("session")));
        RunOutcome outcome = second.prompt("Go on");
        assertThat(outcome.failure()).isEmpty();
        assertThat(Files.readAllLines(messages())).hasSize(6);
    }

    @Test
    void messagesAreForTheirOwnerAlone() throws IOException {
        scripted("{'text': 'Done.'}").prompt("Go");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(messages())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(messages().getParent())))
                .isEqualTo("rwx------");
    }

    @Test
    void lastLineThatWasCutOffIsDropped() throws IOException {
        AgentSession first = scripted(TWO_TURNS);
        first.prompt("Go");
        first.close();
        Files.writeString(messages(), "{\"role\":\"user\",\"te", StandardOpenOption.APPEND);
        AgentSession second = resume(script("{'text': 'Gone on.'}"));
        assertThat(second.messages()).isEqualTo(first.messages());
        second.prompt("Go on");
        second.close();
        assertThat(resume(script("")).messages()).hasSize(6);
    }

    @Test
    void unfinishedCallsAreReportedAsLost() throws IOException {
        Files.createDirectories(messages().getParent());
        Files.writeString(messages(), """
                {"role":"user","text":"Go"}
                {"role":"assistant","text":"","toolCalls":[{"id":"c1","name":"bash","arguments":{"command":"make"}}]}
                """);
        AgentSession session = resume(script("{'expect': 'session ended before', 'text': 'Again then.'}"));
        assertThat(results(session)).singleElement().satisfies(result -> {
            assertThat(result.callId()).isEqualTo("c1");
            assertThat(result.isError()).isTrue();
        });
        assertThat(session.prompt("Go on").completed()).isTrue();
    }

    @Test
    void sessionOfKilledProgramResumes() throws Exception {
        Process program = UnclosedSessionProgram.start(worktree);
        try (BufferedReader printed = program.inputReader(StandardCharsets.UTF_8)) {
            ProcessHandle sleeper = UnclosedSessionProgram.command(printed);
            boolean unused = program.toHandle().destroyForcibly();
            program.waitFor();
            await("the killed program has ended").until(() -> !sleeper.isAlive());
        }
        AgentSession session = open(builder(script("{'expect': 'session ended before', 'text': 'Again then.'}"))
                .resume(home.resolve("session")));
        assertThat(results(session))
                .singleElement()
                .satisfies(result -> assertThat(result.isError()).isTrue());
        assertThat(session.prompt("Go on").failure()).isEmpty();
    }

    @Test
    void unknownFieldsAreIgnored() throws IOException {
        Files.createDirectories(messages().getParent());
        Files.writeString(messages(), "{\"role\":\"user\",\"text\":\"Go\",\"mood\":{\"is\":\"good\"}}\n");
        assertThat(resume(script("")).messages()).containsExactly(new Message.User("Go"));
    }

    @Test
    void messageThatCannotBeStoredLeavesNoHalfLineAndNoCallWithoutResult() throws Exception {
        Process program = new ProcessBuilder(
                        "sh",
                        "-c",
                        // In blocks of 512 bytes; the JVM writes to no other file.
                        "ulimit -f 16 && exec \"$@\"",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-XX:-UsePerfData",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FullDiskProgram.class.getName(),
                        worktree.toString(),
                        home.resolve("session").toString())
                .redirectErrorStream(true)
                .start();
        assertThat(new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines())
                .endsWith("FAILED, for a message could not be stored", "COMPLETED with 5 messages");
        assertThat(Files.readString(messages())).endsWith("}\n");
        assertThat(resume(script("")).messages()).hasSize(5);
    }

    @Test
    void brokenLineInMidstIsNamed() throws IOException {
        Files.createDirectories(messages().getParent());
        Files.writeString(messages(), "{\"role\":\"user\",\"text\":\"Go\"}\n{\"role\":\"king\"}\n");
        assertThatThrownBy(() -> resume(script("")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("line 2 of " + messages())
                .hasMessageContaining("king");
    }

    @Test
    void twoSessionsDoNotShareDirectory() {
        AgentSession first = scripted("{'text': 'Done.'}");
        first.prompt("Go");
        assertThatThrownBy(() -> builder(script("")).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a session in " + first.directory());
        assertThatThrownBy(() -> resume(script("")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another session is using");
    }

    @Test
    void sessionThatCouldNotBeBuiltLeavesItsDirectoryUsable() {
        AgentSessionBuilder twice =
                builder(script("")).addTool(scripted("").tools().getFirst());
        assertThatThrownBy(() -> twice.sessionDirectory(home.resolve("second")).build())
                .isInstanceOf(IllegalArgumentException.class);
        open(builder(script("")).sessionDirectory(home.resolve("second")));
    }

    /** A command could rewrite what the next run takes for its own. */
    @Test
    void noSessionIsKeptWhereCommandsCanWrite() throws IOException {
        AgentSession outside = scripted("{'text': 'Done.'}");
        outside.prompt("Go");
        outside.close();
        Path planted = Files.createDirectory(worktree.resolve("planted"));
        Files.copy(messages(), planted.resolve("messages.jsonl"));
        Path link = Files.createSymbolicLink(home.resolve("link"), planted);
        for (AgentSessionBuilder refused : List.of(
                builder(script("")).sessionDirectory(worktree.resolve("new")),
                builder(script("")).resume(planted),
                builder(script("")).resume(link))) {
            assertThatThrownBy(refused::build)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("where commands could rewrite the session");
        }
        assertThat(worktree.resolve("new")).doesNotExist();
    }

    @Test
    void noNewSessionIsKeptInStateDirectoryThatCommandsOrOthersCanWrite() throws IOException {
        Path state = worktree.resolve("state");
        assertThatThrownBy(() -> SessionDirectory.fresh(state, List.of(worktree)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("lies in " + worktree)
                .hasMessageContaining("set XDG_STATE_HOME");
        assertThat(state).doesNotExist();

        Path others = home.resolve("others");
        Path sessions = Files.createDirectories(others.resolve("sessions"));
        Files.setPosixFilePermissions(sessions, PosixFilePermissions.fromString("rwxrwxr-x"));
        assertThatThrownBy(() -> SessionDirectory.fresh(others, List.of(worktree)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("other users can write")
                .hasMessageContaining("chmod go-w");
        assertThat(sessions).isEmptyDirectory();
        Files.setPosixFilePermissions(sessions, PosixFilePermissions.fromString("rwx------"));
        assertThat(SessionDirectory.fresh(others, List.of(worktree)).path()).hasParent(sessions);
    }

    @Test
    void sessionInWorktreeThatContainsStateIsRefused() throws IOException {
        Path above = Files.createDirectories(UserState.directory()).resolveSibling("");
        assertThatThrownBy(() -> AgentSession.builder()
                        .model(script(""))
                        .cwd(above)
                        .executor(host)
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("where commands could rewrite the session");
    }

    @Test
    void noSessionIsKeptWhereOthersCanWrite() throws IOException {
        Path open = Files.createDirectory(home.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        AgentSessionBuilder refused = builder(script("")).sessionDirectory(open);
        assertThatThrownBy(refused::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("other users can write");
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        open(builder(script("")).sessionDirectory(open));
    }

    @Test
    void removingSessionFollowsNoLinkAndRemovesNothingElse() throws IOException {
        Path victim = Files.createDirectory(home.resolve("victim"));
        Path kept = Files.writeString(victim.resolve("command-1.log"), "theirs");
        Path session = Files.createDirectory(home.resolve("shipped"));
        Files.writeString(session.resolve("messages.jsonl"), "{\"role\":\"user\",\"text\":\"Go\"}\n");
        Files.createSymbolicLink(session.resolve("logs"), victim);
        Files.createSymbolicLink(session.resolve("note"), kept);
        assertThat(StoredSession.at(session).logs()).isEmpty();
        assertThat(StoredSession.at(session).remove()).isFalse();
        assertThat(kept).hasContent("theirs");
        assertThat(session.resolve("messages.jsonl")).doesNotExist();

        Files.delete(session.resolve("logs"));
        Path logs = Files.createDirectory(session.resolve("logs"));
        Files.writeString(session.resolve("messages.jsonl"), "{\"role\":\"user\",\"text\":\"Go\"}\n");
        Files.writeString(logs.resolve("bash_1-2.log.older"), "own");
        Path foreign = Files.writeString(logs.resolve("notes.txt"), "theirs");
        assertThat(StoredSession.at(session).remove()).isFalse();
        assertThat(foreign).exists();
        assertThat(logs.resolve("bash_1-2.log.older")).doesNotExist();
    }

    @Test
    void nothingToResumeIsReported() {
        assertThatThrownBy(() -> resume(script("")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no session to resume");
    }
}
