package dev.paddock.harness.model;

import dev.paddock.harness.tools.ToolCall;
import java.util.List;

/**
 * One entry of a conversation, as the model sees it and as it is stored. Later releases may add kinds: a {@code switch} needs a
 * {@code default} branch, which fails for a model adapter that cannot send the kind.
 */
public sealed interface Message {

    /**
     * What the user says: a prompt, or a word in between.
     *
     * @param text the text
     */
    record User(String text) implements Message {}

    /**
     * What the assistant says and wants done.
     *
     * @param text the text; may be empty
     * @param toolCalls the calls, in order
     */
    record Assistant(String text, List<ToolCall> toolCalls) implements Message {
        /** Makes a message; the list is copied. */
        public Assistant {
            toolCalls = List.copyOf(toolCalls);
        }
    }

    /**
     * What the assistant's calls came to.
     *
     * @param results one for each call, in the calls' order
     */
    record ToolResults(List<ToolOutcome> results) implements Message {
        /** Makes a message; the list is copied. */
        public ToolResults {
            results = List.copyOf(results);
        }
    }

    /**
     * What one call came to.
     *
     * @param callId the call's id
     * @param tool the tool's name
     * @param text what the model reads
     * @param isError whether it failed
     */
    record ToolOutcome(String callId, String tool, String text, boolean isError) {}
}
