package dev.paddock.harness.acp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.agentclientprotocol.sdk.client.AcpSyncClient;
import com.agentclientprotocol.sdk.spec.AcpSchema;
import com.agentclientprotocol.sdk.spec.AcpSchema.StopReason;
import com.agentclientprotocol.sdk.spec.AcpSchema.ToolCallStatus;
import com.agentclientprotocol.sdk.spec.AcpSchema.ToolKind;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions in an editor, by the protocol's own Java client. */
class AcpServerTest extends ServedEditor {

    @Test
    void editIsAskedAboutAndShownAsDiff() throws Exception {
        Files.writeString(worktree.resolve("a.txt"), "one\ntwo\nthree\n");
        AcpSyncClient editor =
                editor(host(call("edit", Map.of("path", "a.txt", "old_string", "two", "new_string", "2")), DONE));
        String session = open(editor);
        assertThat(prompt(editor, session, "Change it")).isEqualTo(StopReason.END_TURN);

        assertThat(worktree.resolve("a.txt")).hasContent("one\n2\nthree\n");
        assertThat(said()).startsWith("The sandbox grants little.").contains("I call it.", "All done.");
        String path = worktree.resolve("a.txt").toString();
        AcpSchema.ToolCallUpdate question = questions.getFirst().toolCall();
        assertThat(question.kind()).isEqualTo(ToolKind.EDIT);
        assertThat(question.title()).isEqualTo("Edit `a.txt`");
        assertThat(question.locations())
                .extracting(AcpSchema.ToolCallLocation::path)
                .containsExactly(path);
        assertThat(question.content()).containsExactly(new AcpSchema.ToolCallDiff(null, path, "two", "2"));
        AcpSchema.ToolCallUpdateNotification end =
                updates(AcpSchema.ToolCallUpdateNotification.class).getLast();
        assertThat(end.status()).isEqualTo(ToolCallStatus.COMPLETED);
        assertThat(end.content())
                .containsExactly(new AcpSchema.ToolCallDiff(null, path, "one\ntwo\nthree\n", "one\n2\nthree\n"));
        assertThat(end.locations().getFirst().line()).isEqualTo(2);
    }

    @Test
    void rejectedCommandIsNotRun() throws Exception {
        user = question -> "reject";
        AcpSyncClient editor = editor(
                host(bash("touch ran"), "{\"expect\": \"the user has refused this call\", \"text\": \"Well.\"}"));
        assertThat(prompt(editor, open(editor), "Run it")).isEqualTo(StopReason.END_TURN);
        assertThat(worktree.resolve("ran")).doesNotExist();
        assertThat(text(questions.getFirst().toolCall().content())).contains("touch ran");
        assertThat(questions.getFirst().toolCall().title()).isEqualTo("`touch ran` (outside the sandbox)");
        assertThat(updates(AcpSchema.ToolCallUpdateNotification.class).getLast().status())
                .isEqualTo(ToolCallStatus.FAILED);
    }

    @Test
    void onceIsForOneCallAndAlwaysForSession() throws Exception {
        AcpSyncClient editor = editor(host(bash("true"), bash("true"), bash("true"), bash("false"), DONE));
        user = question -> questions.size() == 1 ? "once" : "always";
        assertThat(prompt(editor, open(editor), "Go")).isEqualTo(StopReason.END_TURN);
        assertThat(questions)
                .extracting(one -> one.toolCall().title())
                .containsExactly(
                        "`true` (outside the sandbox)",
                        "`true` (outside the sandbox)",
                        "`false` (outside the sandbox)");
    }

    @Test
    void modeEditsAsksAboutCommandsAlone() throws Exception {
        AcpSyncClient editor =
                editor(host(call("write", Map.of("path", "new.txt", "content", "hello\n")), bash("true"), DONE));
        String session = open(editor);
        editor.setSessionMode(new AcpSchema.SetSessionModeRequest(session, "edits"));
        assertThat(prompt(editor, session, "Go")).isEqualTo(StopReason.END_TURN);
        assertThat(questions).hasSize(1);
        assertThat(worktree.resolve("new.txt")).hasContent("hello\n");
        assertThat(updates(AcpSchema.ToolCallUpdateNotification.class)
                        .getFirst()
                        .content())
                .containsExactly(new AcpSchema.ToolCallDiff(
                        null, worktree.resolve("new.txt").toString(), null, "hello\n"));
        assertThatThrownBy(() -> editor.setSessionMode(new AcpSchema.SetSessionModeRequest(session, "yolo")))
                .hasMessageContaining("there is no mode 'yolo', only ask, edits, all");
    }

    @Test
    void thoughtsAreShownApartFromMessages() throws Exception {
        AcpSyncClient editor = editor(host("{\"thought\": \"What is asked?\", \"text\": \"All done.\"}"));
        assertThat(prompt(editor, open(editor), "Go")).isEqualTo(StopReason.END_TURN);
        assertThat(updates(AcpSchema.AgentThoughtChunk.class))
                .extracting(one -> ((AcpSchema.TextContent) one.content()).text())
                .containsExactly("What is asked?");
        assertThat(said()).endsWith("All done.").doesNotContain("What is asked?");
    }

    @Test
    void outputIsShownAsItComes() throws Exception {
        AcpSyncClient editor = editor(host(bash("echo early; " + gated() + "; echo late"), DONE));
        CompletableFuture<StopReason> outcome = prompting(editor, open(editor), "Go");
        await("the output so far")
                .atMost(PATIENCE)
                .until(() -> updates(AcpSchema.ToolCallUpdateNotification.class).stream()
                        .anyMatch(one -> one.status() == ToolCallStatus.IN_PROGRESS
                                && text(one.content()).contains("early")));
        Files.createFile(worktree.resolve("go"));
        assertThat(outcome.get(60, TimeUnit.SECONDS)).isEqualTo(StopReason.END_TURN);
        assertThat(text(updates(AcpSchema.ToolCallUpdateNotification.class)
                        .getLast()
                        .content()))
                .contains("early\nlate");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "trap '' TERM; "})
    void cancelEndsCommandAndSessionGoesOn(String before) throws Exception {
        AcpSyncClient editor = editor(host(bash(before + "echo $$ > pid; " + gated()), DONE));
        String session = open(editor);
        CompletableFuture<StopReason> outcome = prompting(editor, session, "Go");
        awaitFile("runs");
        editor.cancel(new AcpSchema.CancelNotification(session));
        assertThat(outcome.get(60, TimeUnit.SECONDS)).isEqualTo(StopReason.CANCELLED);
        assertThat(isAlive()).isFalse();
        assertThat(prompt(editor, session, "Go on")).isEqualTo(StopReason.END_TURN);
    }

    private boolean isAlive() throws Exception {
        long pid = Long.parseLong(Files.readString(worktree.resolve("pid")).strip());
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    @Test
    void cancelEndsQuestion() throws Exception {
        CompletableFuture<String> never = new CompletableFuture<>();
        user = question -> never.join();
        AcpSyncClient editor = editor(host(bash("touch ran"), DONE));
        String session = open(editor);
        CompletableFuture<StopReason> outcome = prompting(editor, session, "Go");
        await("the question").atMost(PATIENCE).until(() -> !questions.isEmpty());
        editor.cancel(new AcpSchema.CancelNotification(session));
        assertThat(outcome.get(60, TimeUnit.SECONDS)).isEqualTo(StopReason.CANCELLED);
        never.complete("once");
        assertThat(prompt(editor, session, "Go on")).isEqualTo(StopReason.END_TURN);
        assertThat(worktree.resolve("ran")).doesNotExist();
    }

    @Test
    void unansweredQuestionDenies() throws Exception {
        CompletableFuture<String> never = new CompletableFuture<>();
        user = question -> never.join();
        AcpSyncClient editor = editor(
                host(bash("touch ran"), "{\"expect\": \"has not answered within\", \"text\": \"Well.\"}"),
                Duration.ofMillis(20));
        assertThat(prompt(editor, open(editor), "Go")).isEqualTo(StopReason.END_TURN);
        never.complete("once");
        assertThat(worktree.resolve("ran")).doesNotExist();
    }

    @Test
    void twoSessionsWorkAtOnce() throws Exception {
        AcpSyncClient editor = editor(host(bash("touch $(cat name); until [ -e go ]; do sleep 0.05; done"), DONE));
        Files.writeString(worktree.resolve("name"), "one");
        String first = open(editor);
        CompletableFuture<StopReason> one = prompting(editor, first, "Go");
        awaitFile("one");
        Files.writeString(worktree.resolve("name"), "two");
        String second = open(editor);
        CompletableFuture<StopReason> two = prompting(editor, second, "Go");
        awaitFile("two");
        editor.cancel(new AcpSchema.CancelNotification(first));
        assertThat(one.get(60, TimeUnit.SECONDS)).isEqualTo(StopReason.CANCELLED);
        assertThat(two).isNotDone();
        Files.createFile(worktree.resolve("go"));
        assertThat(two.get(60, TimeUnit.SECONDS)).isEqualTo(StopReason.END_TURN);
    }

    @Test
    void storedSessionIsReplayedOnLoadAndNotOnResume() throws Exception {
        ScriptedSessions sessions = host(bash("echo remembered"), DONE);
        AcpSyncClient editor = editor(sessions);
        String session = open(editor);
        prompt(editor, session, "First of all");
        assertThatThrownBy(() ->
                        editor.loadSession(new AcpSchema.LoadSessionRequest(session, worktree.toString(), List.of())))
                .hasMessageContaining("is open already");
        editor.closeSession(new AcpSchema.CloseSessionRequest(session, null));
        assertThat(editor.listSessions(new AcpSchema.ListSessionsRequest(null, null, null))
                        .sessions())
                .extracting(AcpSchema.SessionInfo::title)
                .containsExactly("First of all");

        updates.clear();
        editor.resumeSession(new AcpSchema.ResumeSessionRequest(session, worktree.toString(), List.of(), null, null));
        assertThat(updates).isEmpty();
        editor.closeSession(new AcpSchema.CloseSessionRequest(session, null));

        editor.loadSession(new AcpSchema.LoadSessionRequest(session, worktree.toString(), List.of()));
        assertThat(updates(AcpSchema.UserMessageChunk.class)).hasSize(1);
        assertThat(said()).isEqualTo("I call it. All done.");
        assertThat(text(updates(AcpSchema.ToolCallUpdateNotification.class)
                        .getLast()
                        .content()))
                .contains("remembered");
        assertThat(prompt(editor, session, "And now?")).isEqualTo(StopReason.END_TURN);
        assertThatThrownBy(() -> editor.loadSession(
                        new AcpSchema.LoadSessionRequest("session-9", worktree.toString(), List.of())))
                .hasMessageContaining("there is no such session");
    }

    @Test
    void backgroundShellIsInPlanUntilItEnds() throws Exception {
        AcpSyncClient editor = editor(host(call("bash", Map.of("command", gated(), "run_in_background", true)), DONE));
        assertThat(prompt(editor, open(editor), "Go")).isEqualTo(StopReason.END_TURN);
        AcpSchema.PlanEntry entry =
                updates(AcpSchema.Plan.class).getLast().entries().getFirst();
        assertThat(entry.content()).startsWith("bash_1: touch runs");
        assertThat(entry.status()).isEqualTo(AcpSchema.PlanEntryStatus.IN_PROGRESS);
        Files.createFile(worktree.resolve("go"));
        await("the shell's end")
                .atMost(PATIENCE)
                .until(() -> updates(AcpSchema.Plan.class)
                                .getLast()
                                .entries()
                                .getFirst()
                                .status()
                        == AcpSchema.PlanEntryStatus.COMPLETED);
    }

    @Test
    void backgroundShellEndsWithItsSession() throws Exception {
        String command = "echo $$ > pid; " + gated();
        AcpSyncClient editor = editor(host(call("bash", Map.of("command", command, "run_in_background", true)), DONE));
        String session = open(editor);
        assertThat(prompt(editor, session, "Go")).isEqualTo(StopReason.END_TURN);
        awaitFile("runs");
        assertThat(isAlive()).isTrue();
        editor.closeSession(new AcpSchema.CloseSessionRequest(session, null));
        await("the shell's end").atMost(PATIENCE).until(() -> !isAlive());
    }

    @Test
    void hostIsAskedAboutOnceAndForSession() throws Exception {
        ScriptedSessions sessions = host(DONE);
        AcpSyncClient editor = editor(sessions);
        assertThat(open(editor)).isNotEmpty();
        user = question -> questions.size() == 1 ? "reject" : questions.size() == 2 ? "once" : "always";
        List<Boolean> answers = new java.util.ArrayList<>();
        for (int i = 0; i < 5; i++) {
            answers.add(sessions.hosts.getFirst().allows("example.org", 443));
        }
        assertThat(answers).containsExactly(false, true, true, true, true);
        assertThat(questions).hasSize(3);
        assertThat(questions.getFirst().toolCall().title()).isEqualTo("Connect to `example.org:443`");
    }

    @Test
    void modelIsChosenByItsName() throws Exception {
        ScriptedSessions sessions = host(DONE);
        AcpSyncClient editor = editor(sessions);
        String session = open(editor);
        List<AcpSchema.SessionConfigOption> options = editor.setSessionConfigOption(
                        new AcpSchema.SetSessionConfigOptionRequest(session, "model", "second", null, null))
                .configOptions();
        assertThat(options).first().extracting("currentValue").isEqualTo("second");
        assertThat(sessions.models).containsExactly("first", "second");
        assertThatThrownBy(() -> editor.setSessionConfigOption(
                        new AcpSchema.SetSessionConfigOptionRequest(session, "model", "third", null, null)))
                .hasMessageContaining("no model 'third'");
    }

    @Test
    void editorThatDiesEndsEverything() throws Exception {
        ScriptedSessions sessions = host(bash("echo $$ > pid; " + gated()), DONE);
        AcpSyncClient editor = editor(sessions);
        CompletableFuture<StopReason> outcome = prompting(editor, open(editor), "Go");
        awaitFile("runs");
        connections.getFirst().die();
        connections.getFirst().awaitEnd();
        assertThat(isAlive()).isFalse();
        assertThatThrownBy(() -> sessions.opened.getFirst().prompt("more")).isInstanceOf(IllegalStateException.class);
        assertThat(Optional.of(outcome)).isPresent();
    }
}
