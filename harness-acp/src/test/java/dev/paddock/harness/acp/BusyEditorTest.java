package dev.paddock.harness.acp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.agentclientprotocol.sdk.client.AcpSyncClient;
import com.agentclientprotocol.sdk.spec.AcpSchema;
import com.agentclientprotocol.sdk.spec.AcpSchema.StopReason;
import com.agentclientprotocol.sdk.spec.AcpSchema.ToolCallStatus;
import com.fasterxml.jackson.databind.JsonNode;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ForwardingExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.HostApprover;
import dev.paddock.executor.host.HostExecutor;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Editors that ask for much at once, do not answer, do not read, or go in the middle. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BusyEditorTest extends ServedEditor {

    /** Returns an executor whose commands are not asked about in the mode "all", though nothing confines them. */
    private static CommandExecutor trusted() {
        return new ForwardingExecutor(HostExecutor.create()) {
            @Override
            public Set<Guarantee> guarantees() {
                return Set.of(Guarantee.WRITE_CONFINED);
            }
        };
    }

    /** Asks whether commands may connect, in a thread with the host's name. */
    private static CompletableFuture<Boolean> connecting(HostApprover hosts, String host) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        Thread unused = Thread.ofPlatform().daemon().name(host).start(() -> {
            try {
                answer.complete(hosts.allows(host, 443));
            } catch (InterruptedException | RuntimeException fault) {
                answer.completeExceptionally(fault);
            }
        });
        return answer;
    }

    private static void awaitTurnOf(String host) {
        await("the wait of " + host)
                .atMost(PATIENCE)
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .anyMatch(one -> one.getName().equals(host) && one.getState() == Thread.State.TIMED_WAITING));
    }

    private static boolean get(CompletableFuture<Boolean> answer) throws Exception {
        return answer.get(60, TimeUnit.SECONDS);
    }

    private boolean hasFailed(String call) {
        return updates(AcpSchema.ToolCallUpdateNotification.class).stream()
                .anyMatch(one -> one.toolCallId().equals(call) && one.status() == ToolCallStatus.FAILED);
    }

    private static void awaitNoThreads() {
        await("the end of the server's threads")
                .atMost(PATIENCE)
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(one -> one.getName().startsWith("paddock-acp")));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void hostQuestionThatIsNotAnsweredEndsWithItsPrompt(boolean isCancelled) throws Exception {
        CompletableFuture<String> never = new CompletableFuture<>();
        user = question -> String.valueOf(question.toolCall().title()).startsWith("Connect") ? never.join() : "once";
        ScriptedSessions sessions = host(bash(gated()), DONE, DONE);
        AcpSyncClient editor = editor(sessions);
        String session = open(editor);
        CompletableFuture<StopReason> outcome = prompting(editor, session, "Go");
        awaitFile("runs");
        CompletableFuture<Boolean> asked = connecting(sessions.hosts.getFirst(), "a.example");
        await("the question").atMost(PATIENCE).until(() -> questions.size() == 2);
        CompletableFuture<Boolean> queued = connecting(sessions.hosts.getFirst(), "b.example");
        awaitTurnOf("b.example");
        if (isCancelled) {
            editor.cancel(new AcpSchema.CancelNotification(session));
        } else {
            Files.createFile(worktree.resolve("go"));
        }
        assertThat(outcome.get(60, TimeUnit.SECONDS))
                .isEqualTo(isCancelled ? StopReason.CANCELLED : StopReason.END_TURN);
        assertThat(get(asked)).isFalse();
        await("the shown end").atMost(PATIENCE).until(() -> hasFailed("paddock-host-1"));
        assertThat(get(queued)).isFalse();

        user = question -> "once";
        assertThat(prompt(editor, session, "Go on")).isEqualTo(StopReason.END_TURN);
        assertThat(get(connecting(sessions.hosts.getFirst(), "a.example"))).isTrue();
        never.complete("reject");
    }

    @Test
    void interruptedHostQuestionIsShownAsEnded() throws Exception {
        CompletableFuture<String> never = new CompletableFuture<>();
        user = question -> never.join();
        ScriptedSessions sessions = host(DONE);
        assertThat(open(editor(sessions))).isNotEmpty();
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread asking = Thread.ofPlatform().start(() -> {
            try {
                interrupted.complete(!sessions.hosts.getFirst().allows("a.example", 443));
            } catch (InterruptedException ended) {
                interrupted.complete(true);
            }
        });
        await("the question").atMost(PATIENCE).until(() -> !questions.isEmpty());
        asking.interrupt();
        assertThat(get(interrupted)).isTrue();
        await("the shown end").atMost(PATIENCE).until(() -> hasFailed("paddock-host-1"));
        never.complete("reject");
    }

    @Test
    void editorThatDoesNotReadDelaysNoAnswer() throws Exception {
        ScriptedSessions sessions = host(DONE);
        RawEditor editor = RawEditor.of(serve(sessions, Duration.ofMillis(200)));
        assertThat(editor.open(worktree)).isNotEmpty();
        for (int i = 0; i < 3_000; i++) {
            editor.server().line("x"); // each is answered
        }
        awaitFullQueueOf("paddock-acp-reader");
        assertThat(get(connecting(sessions.hosts.getFirst(), "a.example"))).isFalse();
        assertThat(get(connecting(sessions.hosts.getFirst(), "b.example"))).isFalse();
    }

    private static void awaitFullQueueOf(String thread) {
        await("a full queue")
                .atMost(PATIENCE)
                .until(() -> Thread.getAllStackTraces().entrySet().stream()
                        .filter(one -> one.getKey().getName().equals(thread))
                        .anyMatch(one -> Stream.of(one.getValue())
                                .anyMatch(frame -> frame.getMethodName().equals("awaitUninterruptibly"))));
    }

    /** Lists more than the buffer of a pipe has room for. */
    private record LongListing(AcpSessions sessions) implements AcpSessions {
        @Override
        public AcpSession open(AcpOpening opening) {
            return sessions.open(opening);
        }

        @Override
        public List<AcpListing> stored(Optional<Path> cwd, List<String> open) {
            return Collections.nCopies(
                    20, new AcpListing("stored", Path.of("/" + "x".repeat(4_000)), "", Instant.EPOCH));
        }
    }

    @Test
    void cancelBehindRefusalsEndsCommandOfEditorThatDoesNotRead() throws Exception {
        ScriptedSessions sessions =
                sandboxed(BusyEditorTest::trusted, bash("trap 'touch ended; exit' TERM; " + gated()), DONE);
        RawEditor editor = RawEditor.of(serve(new LongListing(sessions), PATIENCE));
        String session = editor.open(worktree);
        editor.send(1, "session/set_mode", Map.of("sessionId", session, "modeId", "all"));
        editor.prompt(2, session);
        awaitFile("runs");
        for (int id = 3; id < 83; id++) {
            editor.send(id, "session/list", Map.of());
        }
        awaitFullQueueOf("paddock-acp-request");
        editor.prompt(83, session);
        editor.server().line("no message");
        editor.server()
                .line("{\"jsonrpc\":\"2.0\",\"method\":\"session/cancel\",\"params\":{\"sessionId\":\"" + session
                        + "\"}}");
        awaitFile("ended");
    }

    @Test
    void lateAbortDoesNotMeetNextPrompt() throws Exception {
        EditorSessions sessions = new EditorSessions(sandboxed(BusyEditorTest::trusted, bash(gated()), DONE), PATIENCE);
        AgentRequests requests = new AgentRequests(sessions, new AcpSchema.Implementation("test", "1", null));
        EditorConnection connection = new EditorConnection(OutputStream.nullOutputStream(), new CompletableFuture<>());
        try {
            sessions.connect(requests.connect(connection, PATIENCE));
            Object unused = sessions.create(new AcpSchema.NewSessionRequest(worktree.toString(), List.of()));
            EditorSession session = sessions.find("session-1");
            session.approver().mode(AskMode.ALL);
            session.begin();
            int first = session.cancel().orElseThrow();
            assertThat(session.cancel()).as("a second abort of the same prompt").isEmpty();
            assertThat(session.run("first").stopReason()).isEqualTo(StopReason.CANCELLED);
            assertThat(session.cancel()).as("an abort without a prompt").isEmpty();

            session.begin();
            CompletableFuture<StopReason> second =
                    CompletableFuture.supplyAsync(() -> session.run("second").stopReason());
            awaitFile("runs");
            session.abort(first);
            Files.createFile(worktree.resolve("go"));
            assertThat(second.get(60, TimeUnit.SECONDS)).isEqualTo(StopReason.END_TURN);
        } finally {
            sessions.closeAll();
            requests.close();
            connection.end();
        }
    }

    /** Has every listing wait. */
    private record SlowListing(CountDownLatch gate) implements AcpSessions {
        @Override
        public AcpSession open(AcpOpening opening) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<AcpListing> stored(Optional<Path> cwd, List<String> open) {
            try {
                boolean unused = gate.await(60, TimeUnit.SECONDS);
                return List.of();
            } catch (InterruptedException ended) {
                throw new IllegalStateException(ended);
            }
        }
    }

    @Test
    void requestsAtOnceAreBounded() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        RawEditor editor = RawEditor.of(serve(new SlowListing(gate), PATIENCE));
        for (int id = 1; id <= 65; id++) {
            editor.send(id, "session/list", Map.of());
        }
        JsonNode refused = editor.next();
        assertThat(refused.path("id").asInt()).isEqualTo(65);
        assertThat(refused.at("/error/message").asText()).contains("64 requests are at work");
        gate.countDown();
        List<Integer> answered = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            answered.add(editor.next().path("id").asInt());
        }
        assertThat(answered).doesNotHaveDuplicates().doesNotContain(65);
        editor.send(66, "session/list", Map.of());
        assertThat(editor.answer(66).has("result")).isTrue();
    }

    @Test
    void stopAnswersPromptsAtWork() throws Exception {
        RawEditor editor = RawEditor.of(serve(sandboxed(BusyEditorTest::trusted, bash(gated()), DONE), PATIENCE));
        String session = editor.open(worktree);
        editor.send(1, "session/set_mode", Map.of("sessionId", session, "modeId", "all"));
        editor.prompt(2, session);
        awaitFile("runs");
        editor.server().stop();
        assertThat(editor.answer(2).at("/result/stopReason").asText()).isEqualTo("cancelled");
        editor.server().awaitEnd();
    }

    @Test
    void sessionsAreBoundedAndClosedOnesMakeRoom() throws Exception {
        AcpSyncClient editor = editor(host(DONE));
        String first = open(editor);
        for (int i = 1; i < 32; i++) {
            assertThat(open(editor)).isNotEmpty();
        }
        assertThatThrownBy(() -> open(editor)).hasMessageContaining("32 sessions are open");
        editor.closeSession(new AcpSchema.CloseSessionRequest(first, null));
        assertThat(open(editor)).isNotEmpty();
    }

    @Test
    void editorThatDiesDuringQuestionLeavesNoThread() throws Exception {
        RawEditor editor = RawEditor.of(serve(host(bash("touch ran"), DONE), PATIENCE));
        String session = editor.open(worktree);
        editor.prompt(2, session);
        editor.awaitQuestion();
        editor.server().die();
        editor.server().awaitEnd();
        assertThat(worktree.resolve("ran")).doesNotExist();
        awaitNoThreads();
    }

    @Test
    void editorThatDiesDuringOpeningLeavesNoSessionAndNoThread() throws Exception {
        ScriptedSessions sessions = host(DONE);
        CountDownLatch opening = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        AcpSessions slow = new AcpSessions() {
            @Override
            public AcpSession open(AcpOpening asked) {
                opening.countDown();
                try {
                    boolean unused = gate.await(60, TimeUnit.SECONDS);
                } catch (InterruptedException ended) {
                    throw new IllegalStateException(ended);
                }
                return sessions.open(asked);
            }

            @Override
            public List<AcpListing> stored(Optional<Path> cwd, List<String> open) {
                return List.of();
            }
        };
        RawEditor editor = RawEditor.of(serve(slow, PATIENCE));
        editor.send(1, "session/new", Map.of("cwd", worktree.toString(), "mcpServers", List.of()));
        assertThat(opening.await(60, TimeUnit.SECONDS)).isTrue();
        editor.server().die();
        gate.countDown();
        editor.server().awaitEnd();
        assertThatThrownBy(() -> sessions.opened.getFirst().prompt("more")).isInstanceOf(IllegalStateException.class);
        awaitNoThreads();
    }
}
