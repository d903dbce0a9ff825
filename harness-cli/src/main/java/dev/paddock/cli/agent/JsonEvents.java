package dev.paddock.cli.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.cli.terminal.Console;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.events.RunOutcome;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.events.SessionListener;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.tools.CommandAudit;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.text.JsonNodes;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Optional;

/**
 * Writes each event as one line of JSON: its kind in {@code event}, in lower case, and its data. The lines are pure
 * ASCII, so that nothing in them steers a terminal, whatever the locale. Omits added messages, whose parts have events
 * of their own.
 */
final class JsonEvents implements SessionListener {
    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private final PrintStream out;

    JsonEvents(PrintStream out) {
        this.out = out;
    }

    @Override
    public synchronized void onEvent(SessionEvent event) {
        translate(event).ifPresent(this::print);
    }

    private void print(ObjectNode line) {
        try {
            out.println(JSON.writeValueAsString(line));
            out.flush();
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static ObjectNode of(String kind) {
        return JsonNodeFactory.instance.objectNode().put("event", kind);
    }

    private static Optional<ObjectNode> translate(SessionEvent event) {
        return switch (event) {
            case SessionEvent.SessionStarted started -> Optional.of(started(started));
            case SessionEvent.WorkspaceOpened opened -> Optional.of(opened(opened));
            case SessionEvent.SessionEnded ended -> Optional.of(of("session_ended"));
            case SessionEvent.RunStarted started ->
                Optional.of(of("run_started").put("prompt", started.prompt()));
            case SessionEvent.RunEnded ended -> Optional.of(ended(ended.outcome()));
            case SessionEvent.TurnStarted started ->
                Optional.of(of("turn_started").put("turn", started.number()));
            case SessionEvent.TurnRetried retried ->
                Optional.of(of("turn_retried")
                        .put("turn", retried.number())
                        .put("reason", retried.reason())
                        .put("delayMillis", retried.delay().toMillis())
                        .put("attempt", retried.attempt())
                        .put("attempts", retried.attempts()));
            case SessionEvent.TurnEnded ended -> Optional.of(ended(ended));
            case SessionEvent.TextReceived text -> Optional.of(of("text").put("delta", text.delta()));
            case SessionEvent.ThoughtReceived thought ->
                Optional.of(of("thought").put("delta", thought.delta()));
            case SessionEvent.MessageAdded added -> Optional.empty();
            case SessionEvent.ToolStarted started ->
                Optional.of(call("tool_started", started.call())
                        .set("arguments", JsonNodes.object(started.call().arguments())));
            case SessionEvent.ToolUpdated updated ->
                Optional.of(call("tool_updated", updated.call()).put("text", updated.textSoFar()));
            case SessionEvent.CommandEnded ended -> Optional.of(ended(ended.audit()));
            case SessionEvent.ToolEnded ended -> Optional.of(ended(ended));
        };
    }

    private static ObjectNode started(SessionEvent.SessionStarted started) {
        ObjectNode line =
                of("session_started").put("session", started.directory().toString());
        started.worktree().ifPresent(worktree -> put(line, worktree));
        line.put("executor", started.executor());
        started.guarantees().stream()
                .sorted()
                .forEach(guarantee -> line.withArray("guarantees").add(guarantee.name()));
        started.problems().forEach(problem -> line.withArray("problems").add(problem));
        started.tools().forEach(line.withArray("tools")::add);
        return line;
    }

    private static ObjectNode opened(SessionEvent.WorkspaceOpened opened) {
        ObjectNode line = of("workspace_opened");
        put(line, opened.worktree());
        line.put("executor", opened.executor());
        opened.guarantees().stream()
                .sorted()
                .forEach(guarantee -> line.withArray("guarantees").add(guarantee.name()));
        return line;
    }

    private static void put(ObjectNode line, PathMapping worktree) {
        line.put("worktree", worktree.hostPath().toString()).put("execCwd", worktree.commandPath());
    }

    private static ObjectNode ended(RunOutcome outcome) {
        ObjectNode line = of("run_ended")
                .put("end", outcome.end().name().toLowerCase(Locale.ROOT))
                .put("text", outcome.text())
                .put("turns", outcome.turns());
        outcome.failure().ifPresent(fault -> line.put("failure", Console.text(fault)));
        return line;
    }

    private static ObjectNode ended(SessionEvent.TurnEnded ended) {
        ObjectNode line = of("turn_ended").put("turn", ended.number());
        ended.usage()
                .ifPresent((AssistantTurn.Usage usage) ->
                        line.put("inputTokens", usage.inputTokens()).put("outputTokens", usage.outputTokens()));
        return line;
    }

    private static ObjectNode call(String kind, ToolCall call) {
        return of(kind).put("call", call.id()).put("tool", call.name());
    }

    private static ObjectNode ended(SessionEvent.ToolEnded ended) {
        return call("tool_ended", ended.call())
                .put("isError", ended.result().isError())
                .put("text", ended.result().text())
                .put("tookMillis", ended.took().toMillis())
                .set("details", JsonNodes.object(ended.result().details()));
    }

    private static ObjectNode ended(CommandAudit audit) {
        ObjectNode line = of("command_ended")
                .put("call", audit.callId())
                .put("executor", audit.executor())
                .put("program", audit.program())
                .put("background", audit.background())
                .put("outcome", audit.outcome().name().toLowerCase(Locale.ROOT))
                .put("tookMillis", audit.took().toMillis())
                .put("outputBytes", audit.outputBytes());
        audit.status().ifPresent(status -> line.put("exitCode", status.code()));
        return line;
    }
}
