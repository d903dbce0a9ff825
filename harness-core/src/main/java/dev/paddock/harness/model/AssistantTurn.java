package dev.paddock.harness.model;

import dev.paddock.harness.tools.ToolCall;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One turn of the assistant. A turn without tool calls is the last of a run.
 *
 * @param text the assistant's text; may be empty
 * @param toolCalls the requested tool calls, in order; their ids are unique within the session
 * @param usage the turn's token usage, if the model reports it
 * @since 0.1
 */
public record AssistantTurn(String text, List<ToolCall> toolCalls, Optional<Usage> usage) {

    /**
     * Creates a turn; the list is copied.
     *
     * @throws ModelException if a component is null; the message names it
     */
    public AssistantTurn {
        requireGiven("text", text, "an empty text if the model says nothing");
        requireGiven("toolCalls", toolCalls, "an empty list if the model calls no tool");
        requireGiven("usage", usage, "Optional.empty() if it is not known");
        for (ToolCall call : toolCalls) {
            requireGiven("toolCalls' element", call, "a call, or leave it out");
            requireGiven("toolCalls' id", call.id(), "an id that is unique within the session");
            requireGiven("toolCalls' name", call.name(), "the tool's name");
            requireGiven("toolCalls' arguments", call.arguments(), "an empty object if there are none");
        }
        toolCalls = List.copyOf(toolCalls);
    }

    private static void requireGiven(String part, @Nullable Object value, String remedy) {
        if (value == null) {
            throw new ModelException(
                    ModelException.Kind.BROKEN_STREAM,
                    "the model's adapter made an AssistantTurn with null as its " + part + "; give " + remedy);
        }
    }

    /**
     * Returns a turn with text only, which ends the run.
     *
     * @param text the assistant's text
     * @return the turn
     */
    public static AssistantTurn saying(String text) {
        return new AssistantTurn(text, List.of(), Optional.empty());
    }

    /**
     * Returns a turn that requests tool calls.
     *
     * @param text the assistant's text; may be empty
     * @param calls the tool calls
     * @return the turn
     */
    public static AssistantTurn calling(String text, ToolCall... calls) {
        return new AssistantTurn(text, List.of(calls), Optional.empty());
    }

    /**
     * The token usage of a turn.
     *
     * @param inputTokens tokens read, 0 or more
     * @param outputTokens tokens written, 0 or more
     */
    public record Usage(long inputTokens, long outputTokens) {}
}
