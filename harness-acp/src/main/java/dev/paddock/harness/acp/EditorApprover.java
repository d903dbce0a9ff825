package dev.paddock.harness.acp;

import com.agentclientprotocol.sdk.spec.AcpSchema;
import com.agentclientprotocol.sdk.spec.AcpSchema.ToolCallStatus;
import com.agentclientprotocol.sdk.spec.AcpSchema.ToolKind;
import dev.paddock.executor.HostApprover;
import dev.paddock.harness.approval.Approval;
import dev.paddock.harness.approval.ApprovalRequest;
import dev.paddock.harness.approval.Approver;
import dev.paddock.harness.tools.ExecutionSite;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Asks the editor's user about calls, and about hosts that the network of allowed hosts does not name. */
final class EditorApprover implements Approver, HostApprover {
    private volatile Optional<EditorSession> session = Optional.empty();
    private volatile AskMode mode = AskMode.ASK;
    private final ReentrantLock turn = new ReentrantLock(true);
    private final Set<String> allowedHosts = new HashSet<>();
    private int hostQuestions;

    /** Completed when the open questions are not to be answered any more; then replaced. */
    private CompletableFuture<Void> dismissal = new CompletableFuture<>();

    /** Connects the approver to the session, which exists only after the approver. */
    void connect(EditorSession value) {
        session = Optional.of(value);
    }

    AskMode mode() {
        return mode;
    }

    void mode(AskMode value) {
        mode = value;
    }

    @Override
    public Approval decide(ApprovalRequest request) throws InterruptedException {
        if (!mode.isAbout(request)) {
            return Approval.allow();
        }
        if (session.isEmpty()) {
            return Approval.deny("the session is not open yet");
        }
        EditorSession asking = session.get();
        // The permission is for all calls of the tool.
        String always = (request.executionSite() == ExecutionSite.WORKTREE ? "every " : "") + request.sessionKey();
        EditorClient.Answer answer = asking.client()
                .ask(
                        () -> asking.updates().question(request),
                        always,
                        dismissal(),
                        asking.client().patience());
        if (!answer.isAllowed()) {
            return Approval.deny(answer.reason());
        }
        return answer.isForSession() ? Approval.allowForSession() : Approval.allow();
    }

    @Override
    public boolean allows(String host, int port) throws InterruptedException {
        if (session.isEmpty()) {
            return false;
        }
        EditorClient client = session.get().client();
        String place = host + ":" + port;
        CompletableFuture<Void> dismissed = dismissal();
        long end = System.nanoTime() + client.patience().toNanos();
        // One answer may also decide about the next connection.
        if (!turn.tryLock(client.patience().toNanos(), TimeUnit.NANOSECONDS)) {
            return false;
        }
        try {
            Duration left = Duration.ofNanos(end - System.nanoTime());
            return allowedHosts.contains(place)
                    || (!dismissed.isDone() && left.isPositive() && isAllowed(client, place, dismissed, left));
        } finally {
            turn.unlock();
        }
    }

    private synchronized CompletableFuture<Void> dismissal() {
        return dismissal;
    }

    /** Denies the open questions, whose prompt is over: an editor that does not answer must not delay the next ones. */
    void dismiss() {
        CompletableFuture<Void> open;
        synchronized (this) {
            open = dismissal;
            dismissal = new CompletableFuture<>();
        }
        open.complete(null);
    }

    private boolean isAllowed(EditorClient client, String place, CompletableFuture<Void> dismissed, Duration left)
            throws InterruptedException {
        hostQuestions++;
        String id = "paddock-host-" + hostQuestions;
        String title = "Connect to " + Shown.code(place);
        List<AcpSchema.ToolCallContent> why =
                List.of(Shown.text("A command connects to this host, which the network policy does not name."));
        AcpSchema.ToolCall announced = new AcpSchema.ToolCall(
                null, id, title, ToolKind.FETCH, ToolCallStatus.PENDING, why, List.of(), null, null, null);
        AcpSchema.ToolCallUpdate call = new AcpSchema.ToolCallUpdate(
                id, title, ToolKind.FETCH, ToolCallStatus.PENDING, why, List.of(), null, null);
        Supplier<AcpSchema.ToolCallUpdate> question = () -> {
            client.update(announced);
            return call;
        };
        ToolCallStatus end = ToolCallStatus.FAILED;
        try {
            EditorClient.Answer answer = client.ask(question, place, dismissed, left);
            if (answer.isForSession()) {
                allowedHosts.add(place);
            }
            end = answer.isAllowed() ? ToolCallStatus.COMPLETED : end;
            return answer.isAllowed();
        } finally {
            client.updateAfterQuestions(
                    new AcpSchema.ToolCallUpdateNotification(null, id, null, null, end, null, null, null, null, null));
        }
    }
}
