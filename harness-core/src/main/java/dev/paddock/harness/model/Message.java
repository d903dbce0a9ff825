package dev.paddock.harness.model;

import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import java.util.List;

/**
 * One message of a conversation, as it is sent to the model and as it is stored. Later releases may
 * add kinds: a {@code switch} needs a {@code default} branch, which fails for a model adapter that
 * cannot send the kind.
 *
 * @since 0.1
 */
public sealed interface Message {

    /**
     * A message of the user: a prompt, or steering during a run.
     *
     * @param text the text
     */
    record User(String text) implements Message {}

    /**
     * A message of the assistant, with its tool calls.
     *
     * @param text the text; may be empty
     * @param toolCalls the calls, in order
     */
    record Assistant(String text, List<ToolCall> toolCalls) implements Message {
        /** Creates a message; the list is copied. */
        public Assistant {
            toolCalls = List.copyOf(toolCalls);
        }
    }

    /**
     * The results of the assistant's tool calls.
     *
     * @param results one for each call, in the calls' order
     */
    record ToolResults(List<ToolOutcome> results) implements Message {
        /** Creates a message; the list is copied. */
        public ToolResults {
            results = List.copyOf(results);
        }
    }

    /**
     * The result of one tool call.
     *
     * @param callId the call's id
     * @param tool the tool's name
     * @param text the text that the model reads
     * @param isError whether the call failed
     * @param images the images that the model receives after the text; none for a model that
     *     {@linkplain Model#takesImages takes none}
     */
    record ToolOutcome(String callId, String tool, String text, boolean isError, List<ToolResult.Image> images) {
        /** Creates a result; the list is copied. */
        public ToolOutcome {
            images = List.copyOf(images);
        }

        /**
         * Creates a result without images.
         *
         * @param callId the call's id
         * @param tool the tool's name
         * @param text the text that the model reads
         * @param isError whether the call failed
         */
        public ToolOutcome(String callId, String tool, String text, boolean isError) {
            this(callId, tool, text, isError, List.of());
        }
    }
}
