package dev.paddock.harness.langchain4j;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.anthropic.AnthropicTokenUsage;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.model.ModelException;
import dev.paddock.harness.model.ModelRequest;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolCall;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Translates the library's answers to the session's turns. */
record Turns(Failures failures) {
    /**
     * Wraps arguments that are not a JSON object: the argument check rejects this name, and the
     * model reads why.
     */
    static final String NOT_AN_OBJECT = "not_a_json_object";

    /**
     * Translates an answer.
     *
     * @param isWhole whether the stream had its end marker, for an answer without a finish reason
     * @throws ModelException if the turn is incomplete
     */
    AssistantTurn of(ChatResponse response, ModelRequest request, boolean isWhole) {
        AiMessage message = response.aiMessage();
        requireWhole(response.finishReason(), message, isWhole);
        String text = message.text() == null ? "" : message.text();
        List<ToolCall> calls = calls(message.toolExecutionRequests(), request);
        return AssistantTurn.of(text, calls, usage(response.tokenUsage()));
    }

    private void requireWhole(@Nullable FinishReason reason, AiMessage message, boolean isWhole) {
        boolean isEmpty = message.text() == null && !message.hasToolExecutionRequests();
        Peer peer = failures.peer();
        if (reason == FinishReason.LENGTH) {
            throw new ModelException(
                    ModelException.Kind.CUT_OFF,
                    "the answer of " + peer.theModel() + " reached the limit of output tokens and is incomplete;"
                            + " raise the limit, or ask for less at a time");
        }
        if (reason == FinishReason.CONTENT_FILTER || (reason == FinishReason.OTHER && isEmpty)) {
            throw new ModelException(
                    ModelException.Kind.REFUSED,
                    peer.at() + " withholds the answer (" + reason + "); rephrase the request");
        }
        if (reason == null && (isEmpty || !isWhole)) {
            throw failures.broken("it has no finish reason");
        }
    }

    private static List<ToolCall> calls(List<ToolExecutionRequest> requested, ModelRequest request) {
        Set<String> taken = new HashSet<>();
        for (Message message : request.messages()) {
            if (message instanceof Message.Assistant assistant) {
                assistant.toolCalls().forEach(call -> taken.add(call.id()));
            }
        }
        List<ToolCall> calls = new ArrayList<>();
        for (ToolExecutionRequest one : requested) {
            String id = one.id() == null || one.id().isBlank() || taken.contains(one.id())
                    ? "call_" + request.messages().size() + "_" + (calls.size() + 1)
                    : one.id();
            taken.add(id);
            calls.add(new ToolCall(id, one.name() == null ? "" : one.name(), arguments(one.arguments())));
        }
        return calls;
    }

    private static Json arguments(@Nullable String text) {
        if (text == null || text.isBlank()) {
            return Json.object();
        }
        try {
            Json json = Json.parse(text);
            if (json.kind() == Json.Kind.OBJECT) {
                return json;
            }
        } catch (IllegalArgumentException fault) {
            // treated like any other text that is not an object
        }
        return Json.object().with(NOT_AN_OBJECT, text);
    }

    private static Optional<AssistantTurn.Usage> usage(@Nullable TokenUsage usage) {
        if (usage == null || usage.inputTokenCount() == null || usage.outputTokenCount() == null) {
            return Optional.empty();
        }
        long input = usage.inputTokenCount();
        if (usage instanceof AnthropicTokenUsage counted) {
            // Anthropic counts the input tokens of its cache separately.
            input += orZero(counted.cacheCreationInputTokens()) + orZero(counted.cacheReadInputTokens());
        }
        return Optional.of(AssistantTurn.Usage.of(input, usage.outputTokenCount()));
    }

    private static long orZero(@Nullable Integer count) {
        return count == null ? 0 : count;
    }
}
