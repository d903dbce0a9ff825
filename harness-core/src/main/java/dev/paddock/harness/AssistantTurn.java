package dev.paddock.harness;

import dev.paddock.harness.tool.ToolCall;
import java.util.List;
import java.util.Optional;

/**
 * One turn of the assistant. Without tool calls it is the last of a run.
 *
 * @param text what it says; may be empty
 * @param toolCalls what it wants done, in order; their ids are unique within the session
 * @param usage what the turn cost, if the model tells
 */
public record AssistantTurn(String text, List<ToolCall> toolCalls, Optional<Usage> usage) {

    /** Makes a turn; the list is copied. */
    public AssistantTurn {
        toolCalls = List.copyOf(toolCalls);
    }

    /**
     * A turn that says something and ends the run.
     *
     * @param text what it says
     * @return the turn
     */
    public static AssistantTurn saying(String text) {
        return new AssistantTurn(text, List.of(), Optional.empty());
    }

    /**
     * A turn that wants something done.
     *
     * @param text what it says; may be empty
     * @param calls what it wants done
     * @return the turn
     */
    public static AssistantTurn calling(String text, ToolCall... calls) {
        return new AssistantTurn(text, List.of(calls), Optional.empty());
    }

    /**
     * What a turn cost.
     *
     * @param inputTokens tokens read, 0 or more
     * @param outputTokens tokens written, 0 or more
     */
    public record Usage(long inputTokens, long outputTokens) {}
}
