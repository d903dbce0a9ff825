package dev.paddock.harness.acp;

import com.agentclientprotocol.sdk.spec.AcpSchema;
import com.agentclientprotocol.sdk.spec.AcpSchema.ToolCallStatus;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.approval.ApprovalRequest;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.text.JsonNodes;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Shows a session's events, and the messages of a stored one, to the editor. */
final class EditorUpdates {
    private final EditorClient client;
    private final Optional<PathMapping> worktree;
    private final ShellPlan plan = new ShellPlan();
    private final Set<String> announced = new HashSet<>();

    EditorUpdates(EditorClient client, Optional<PathMapping> worktree) {
        this.client = client;
        this.worktree = worktree;
    }

    void show(SessionEvent event) {
        if (event instanceof SessionEvent.TextReceived text) {
            client.say(text.delta());
        } else if (event instanceof SessionEvent.ThoughtReceived thought) {
            think(thought.delta());
        } else if (event instanceof SessionEvent.TurnRetried retried) {
            String why = Shown.line(retried.reason()) + "; the model is asked again, and what it said is void\n";
            think(why);
        } else if (event instanceof SessionEvent.ToolStarted started) {
            announce(started.call());
        } else if (event instanceof SessionEvent.ToolUpdated updated) {
            update(updated.call(), ToolCallStatus.IN_PROGRESS, List.of(Shown.block(updated.textSoFar())), List.of());
        } else if (event instanceof SessionEvent.ToolEnded ended) {
            end(ended.call(), ended.result());
        }
        plan.after(event).ifPresent(client::update);
    }

    private void think(String markdown) {
        client.update(new AcpSchema.AgentThoughtChunk(null, Shown.content(markdown)));
    }

    private CallSummary summary(ToolCall call) {
        return new CallSummary(call, worktree);
    }

    /**
     * Sends a call, unless it has been sent: the approver may be asked before the listener receives
     * the event.
     */
    synchronized void announce(ToolCall call) {
        if (announced.add(call.id())) {
            CallSummary summary = summary(call);
            client.update(new AcpSchema.ToolCall(
                    null,
                    call.id(),
                    summary.title(),
                    summary.kind(),
                    ToolCallStatus.PENDING,
                    summary.intent(),
                    summary.locations(Optional.empty()),
                    JsonNodes.object(call.arguments()),
                    null,
                    null));
        }
    }

    /** Returns a call, as the editor's user is asked about it. */
    AcpSchema.ToolCallUpdate question(ApprovalRequest request) {
        ToolCall call = request.call();
        announceUnlessAborted(request);
        CallSummary summary = summary(call);
        String title = summary.title() + (request.leavesSandbox() ? " (outside the sandbox)" : "");
        return new AcpSchema.ToolCallUpdate(
                call.id(),
                title,
                summary.kind(),
                ToolCallStatus.PENDING,
                summary.intent(),
                summary.locations(Optional.empty()),
                JsonNodes.object(call.arguments()),
                null);
    }

    /** The listener shows an aborted call's end, after which it must not begin again. */
    private synchronized void announceUnlessAborted(ApprovalRequest request) {
        if (!request.signal().isAborted()) {
            announce(request.call());
        }
    }

    private void end(ToolCall call, ToolResult result) {
        announce(call);
        forget(call);
        CallSummary summary = summary(call);
        update(
                call,
                result.isError() ? ToolCallStatus.FAILED : ToolCallStatus.COMPLETED,
                summary.outcome(result),
                summary.locations(summary.line(result)));
    }

    private synchronized void forget(ToolCall call) {
        announced.remove(call.id());
    }

    private void update(
            ToolCall call,
            ToolCallStatus status,
            List<AcpSchema.ToolCallContent> content,
            List<AcpSchema.ToolCallLocation> locations) {
        client.update(new AcpSchema.ToolCallUpdateNotification(
                null,
                call.id(),
                null,
                null,
                status,
                content,
                locations.isEmpty() ? null : locations,
                null,
                null,
                null));
    }

    /** Shows the messages of a stored session. */
    void replay(List<Message> messages) {
        Map<String, Message.ToolOutcome> outcomes = messages.stream()
                .filter(Message.ToolResults.class::isInstance)
                .flatMap(message -> ((Message.ToolResults) message).results().stream())
                .collect(Collectors.toMap(Message.ToolOutcome::callId, Function.identity(), (one, other) -> other));
        for (Message message : messages) {
            if (message instanceof Message.User user) {
                client.update(new AcpSchema.UserMessageChunk(null, Shown.content(user.text())));
            } else if (message instanceof Message.Assistant assistant) {
                if (!assistant.text().isEmpty()) {
                    client.say(assistant.text());
                }
                for (ToolCall call : assistant.toolCalls()) {
                    Message.ToolOutcome outcome = outcomes.get(call.id());
                    end(
                            call,
                            outcome == null
                                    ? ToolResult.error("(no result is stored)")
                                    : ToolResult.of(outcome.text(), outcome.isError()));
                }
            }
        }
    }
}
