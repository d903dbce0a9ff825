package dev.paddock.harness.acp;

import com.agentclientprotocol.sdk.json.TypeRef;
import com.agentclientprotocol.sdk.spec.AcpAgentSession;
import com.agentclientprotocol.sdk.spec.AcpSchema;
import com.agentclientprotocol.sdk.spec.AcpSchema.PermissionOption;
import com.agentclientprotocol.sdk.spec.AcpSchema.PermissionOptionKind;
import dev.paddock.harness.mcp.wire.Threads;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import reactor.core.Disposable;

/** Sends the editor the updates and questions of one session. */
final class EditorClient {
    private static final TypeRef<AcpSchema.RequestPermissionResponse> ANSWER = new TypeRef<>() {};
    private static final TypeRef<AcpSchema.ReadTextFileResponse> TEXT = new TypeRef<>() {};
    private static final String ONCE = "once";
    private static final String ALWAYS = "always";
    private static final String REJECT = "reject";

    private final AcpAgentSession connection;
    private final Duration patience;
    private final String sessionId;

    /** One thread, since it blocks while the editor does not read. */
    private final ThreadPoolExecutor questions = new ThreadPoolExecutor(
            1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> Threads.daemon("acp-question", task));

    /**
     * Creates a client.
     *
     * @param patience how long an answer may take
     */
    EditorClient(AcpAgentSession connection, Duration patience, String sessionId) {
        this.connection = connection;
        this.patience = patience;
        this.sessionId = sessionId;
        questions.allowCoreThreadTimeOut(true);
    }

    /**
     * An answer of the editor's user.
     *
     * @param isAllowed whether the user agrees
     * @param isForSession whether the answer also applies to the same calls later in the session
     * @param reason why not
     */
    record Answer(boolean isAllowed, boolean isForSession, String reason) {
        static Answer no(String reason) {
            return new Answer(false, false, reason);
        }
    }

    /** Sends an update; blocks while the editor does not read. Without an editor, does nothing. */
    void update(AcpSchema.SessionUpdate update) {
        connection
                .sendNotification(
                        AcpSchema.METHOD_SESSION_UPDATE, new AcpSchema.SessionNotification(sessionId, update, null))
                .onErrorComplete()
                .subscribe();
    }

    void say(String markdown) {
        update(new AcpSchema.AgentMessageChunk(null, Shown.content(markdown)));
    }

    /** Sends an update after the questions that were asked before. Does not block. */
    void updateAfterQuestions(AcpSchema.SessionUpdate update) {
        questions.execute(() -> update(update));
    }

    Duration patience() {
        return patience;
    }

    /**
     * Asks the editor's user. Blocks until the editor answers, whether it reads or not.
     *
     * @param question makes the question, and may send updates before it
     * @param always describes the permission for the session
     * @param dismissed completed when an answer is not wanted any more
     * @param time how long the answer may take
     */
    Answer ask(
            Supplier<AcpSchema.ToolCallUpdate> question,
            String always,
            CompletableFuture<Void> dismissed,
            Duration time)
            throws InterruptedException {
        CompletableFuture<AcpSchema.RequestPermissionResponse> answer = new CompletableFuture<>();
        questions.execute(() -> send(question, always, answer));
        try {
            Object unused = CompletableFuture.anyOf(answer, dismissed).get(time.toMillis(), TimeUnit.MILLISECONDS);
            return answer.isDone() ? meaning(answer.get()) : Answer.no("the prompt has ended");
        } catch (ExecutionException failed) {
            return Answer.no("the editor could not ask the user");
        } catch (TimeoutException unanswered) {
            return Answer.no("the user has not answered within " + patience.toSeconds() + " s");
        } finally {
            answer.cancel(true);
        }
    }

    private void send(
            Supplier<AcpSchema.ToolCallUpdate> question,
            String always,
            CompletableFuture<AcpSchema.RequestPermissionResponse> answer) {
        if (answer.isDone()) {
            return; // it waited for an editor that did not read
        }
        List<PermissionOption> options = List.of(
                new PermissionOption(ONCE, "Allow once", PermissionOptionKind.ALLOW_ONCE),
                new PermissionOption(
                        ALWAYS, "Allow for this session: " + Shown.line(always), PermissionOptionKind.ALLOW_ALWAYS),
                new PermissionOption(REJECT, "Reject", PermissionOptionKind.REJECT_ONCE));
        try {
            AcpSchema.ToolCallUpdate call = question.get();
            if (answer.isDone()) {
                return;
            }
            Disposable sent = connection
                    .sendRequest(
                            AcpSchema.METHOD_SESSION_REQUEST_PERMISSION,
                            new AcpSchema.RequestPermissionRequest(sessionId, call, options),
                            ANSWER)
                    .subscribe(
                            answer::complete,
                            answer::completeExceptionally,
                            () -> answer.completeExceptionally(
                                    new IllegalArgumentException("an answer without a result")));
            var unused = answer.whenComplete((given, fault) -> sent.dispose());
        } catch (RuntimeException fault) {
            answer.completeExceptionally(fault);
        }
    }

    /** Asks for the text that the editor has of a file; blocks while the editor does not read. */
    void readText(Path file, CompletableFuture<AcpSchema.ReadTextFileResponse> answer) {
        connection
                .sendRequest(
                        AcpSchema.METHOD_FS_READ_TEXT_FILE,
                        new AcpSchema.ReadTextFileRequest(sessionId, file.toString(), null, null),
                        TEXT)
                .subscribe(
                        answer::complete,
                        answer::completeExceptionally,
                        () -> answer.completeExceptionally(new IllegalArgumentException("an answer without a result")));
    }

    private static Answer meaning(AcpSchema.RequestPermissionResponse answer) {
        if (!(answer.outcome() instanceof AcpSchema.PermissionSelected selected)) {
            return Answer.no("the user has dismissed the question");
        }
        return switch (String.valueOf(selected.optionId())) {
            case ONCE -> new Answer(true, false, "");
            case ALWAYS -> new Answer(true, true, "");
            case REJECT -> Answer.no("the user has refused this call");
            default -> Answer.no("the editor's answer is none of the choices");
        };
    }
}
