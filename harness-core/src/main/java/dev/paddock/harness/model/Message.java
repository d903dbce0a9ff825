package dev.paddock.harness.model;

import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
        public ToolResults {
            results = List.copyOf(results);
        }
    }

    /** The result of one tool call. */
    final class ToolOutcome {
        private final String callId;
        private final String tool;
        private final String text;
        private final boolean isError;
        private final List<ToolResult.Image> images;

        private ToolOutcome(String callId, String tool, String text, boolean isError, List<ToolResult.Image> images) {
            this.callId = callId;
            this.tool = tool;
            this.text = text;
            this.isError = isError;
            this.images = List.copyOf(images);
        }

        /**
         * Returns an outcome.
         *
         * @param callId the call's id
         * @param tool the tool's name
         * @param text the text that the model reads
         * @param isError whether the call failed
         * @param images the images that the model receives after the text; none for a model that
         *     {@linkplain Model#takesImages takes none}
         * @return the outcome
         */
        public static ToolOutcome of(
                String callId, String tool, String text, boolean isError, List<ToolResult.Image> images) {
            return new ToolOutcome(callId, tool, text, isError, images);
        }

        /**
         * Returns an outcome without images.
         *
         * @param callId the call's id
         * @param tool the tool's name
         * @param text the text that the model reads
         * @param isError whether the call failed
         * @return the outcome
         */
        public static ToolOutcome of(String callId, String tool, String text, boolean isError) {
            return new ToolOutcome(callId, tool, text, isError, List.of());
        }

        /** {@return the call's id} */
        public String callId() {
            return callId;
        }

        /** {@return the tool's name} */
        public String tool() {
            return tool;
        }

        /** {@return the text that the model reads} */
        public String text() {
            return text;
        }

        /** {@return whether the call failed} */
        public boolean isError() {
            return isError;
        }

        /**
         * {@return the images that the model receives after the text; none for a model that {@linkplain
         * Model#takesImages takes none}}
         */
        public List<ToolResult.Image> images() {
            return images;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof ToolOutcome that && parts().equals(that.parts());
        }

        @Override
        public int hashCode() {
            return parts().hashCode();
        }

        @Override
        public String toString() {
            return "ToolOutcome" + parts();
        }

        private List<Object> parts() {
            return List.of(callId, tool, text, isError, images);
        }
    }
}
