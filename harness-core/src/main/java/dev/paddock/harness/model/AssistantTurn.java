package dev.paddock.harness.model;

import dev.paddock.harness.tools.ToolCall;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One turn of the assistant. A turn without tool calls is the last of a run.
 *
 * @since 0.1
 */
public final class AssistantTurn {

    private final String text;
    private final List<ToolCall> toolCalls;
    private final Optional<Usage> usage;

    private AssistantTurn(String text, List<ToolCall> toolCalls, Optional<Usage> usage) {
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
        this.text = text;
        this.toolCalls = toolCalls;
        this.usage = usage;
    }

    private static void requireGiven(String part, @Nullable Object value, String remedy) {
        if (value == null) {
            throw new ModelException(
                    ModelException.Kind.BROKEN_STREAM,
                    "the model's adapter made an AssistantTurn with null as its " + part + "; give " + remedy);
        }
    }

    /**
     * Returns a turn.
     *
     * @param text the assistant's text; may be empty
     * @param toolCalls the requested tool calls, in order; their ids are unique within the session
     * @param usage the turn's token usage, if the model reports it
     * @return the turn
     * @throws ModelException if an argument is null, or a part of a call is; the message names it
     */
    public static AssistantTurn of(String text, List<ToolCall> toolCalls, Optional<Usage> usage) {
        return new AssistantTurn(text, toolCalls, usage);
    }

    /**
     * Returns a turn with text only, which ends the run.
     *
     * @param text the assistant's text
     */
    public static AssistantTurn saying(String text) {
        return new AssistantTurn(text, List.of(), Optional.empty());
    }

    /**
     * Returns a turn that requests tool calls.
     *
     * @param text the assistant's text; may be empty
     * @param calls the tool calls
     */
    public static AssistantTurn calling(String text, ToolCall... calls) {
        return new AssistantTurn(text, List.of(calls), Optional.empty());
    }

    /** {@return the assistant's text; may be empty} */
    public String text() {
        return text;
    }

    /** {@return the requested tool calls, in order; their ids are unique within the session} */
    public List<ToolCall> toolCalls() {
        return toolCalls;
    }

    /** {@return the turn's token usage, if the model reports it} */
    public Optional<Usage> usage() {
        return usage;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AssistantTurn that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "AssistantTurn" + parts();
    }

    private List<Object> parts() {
        return List.of(text, toolCalls, usage);
    }

    /** The token usage of a turn. */
    public static final class Usage {
        private final long inputTokens;
        private final long outputTokens;

        private Usage(long inputTokens, long outputTokens) {
            this.inputTokens = inputTokens;
            this.outputTokens = outputTokens;
        }

        /**
         * Returns a usage.
         *
         * @param inputTokens tokens read, 0 or more
         * @param outputTokens tokens written, 0 or more
         */
        public static Usage of(long inputTokens, long outputTokens) {
            return new Usage(inputTokens, outputTokens);
        }

        /** {@return the tokens read, 0 or more} */
        public long inputTokens() {
            return inputTokens;
        }

        /** {@return the tokens written, 0 or more} */
        public long outputTokens() {
            return outputTokens;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Usage that && inputTokens == that.inputTokens && outputTokens == that.outputTokens;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(31 * inputTokens + outputTokens);
        }

        @Override
        public String toString() {
            return "Usage[" + inputTokens + ", " + outputTokens + "]";
        }
    }
}
