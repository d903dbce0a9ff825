package dev.paddock.harness.acp;

import com.agentclientprotocol.sdk.spec.AcpSchema;
import com.agentclientprotocol.sdk.spec.AcpSchema.ToolCallStatus;
import com.agentclientprotocol.sdk.spec.AcpSchema.ToolKind;
import dev.paddock.executor.HostApprover;
import dev.paddock.harness.approval.Approval;
import dev.paddock.harness.approval.ApprovalRequest;
import dev.paddock.harness.approval.Approver;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** Asks the editor's user about calls, and about hosts that the network of allowed hosts does not name. */
final class EditorApprover implements Approver, HostApprover {
    private volatile Optional<EditorSession> session = Optional.empty();
    private volatile AskMode mode = AskMode.ASK;
    private final ReentrantLock turn = new ReentrantLock(true);
    private final Set<String> allowedHosts = new HashSet<>();
    private int hostQuestions;

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
        EditorClient.Answer answer =
                session.get().client().ask(session.get().updates().question(request), request.sessionKey());
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
        String place = host + ":" + port;
        turn.lockInterruptibly(); // one answer may also decide about the next connection
        try {
            return allowedHosts.contains(place) || isAllowed(session.get().client(), place);
        } finally {
            turn.unlock();
        }
    }

    private boolean isAllowed(EditorClient client, String place) throws InterruptedException {
        hostQuestions++;
        String id = "paddock-host-" + hostQuestions;
        String title = "Connect to " + Shown.code(place);
        List<AcpSchema.ToolCallContent> why =
                List.of(Shown.text("A command connects to this host, which the network policy does not name."));
        client.update(new AcpSchema.ToolCall(
                null, id, title, ToolKind.FETCH, ToolCallStatus.PENDING, why, List.of(), null, null, null));
        AcpSchema.ToolCallUpdate call = new AcpSchema.ToolCallUpdate(
                id, title, ToolKind.FETCH, ToolCallStatus.PENDING, why, List.of(), null, null);
        EditorClient.Answer answer = client.ask(call, place);
        ToolCallStatus end = answer.isAllowed() ? ToolCallStatus.COMPLETED : ToolCallStatus.FAILED;
        client.update(
                new AcpSchema.ToolCallUpdateNotification(null, id, null, null, end, null, null, null, null, null));
        if (answer.isForSession()) {
            allowedHosts.add(place);
        }
        return answer.isAllowed();
    }
}
