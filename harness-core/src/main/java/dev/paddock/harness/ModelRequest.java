package dev.paddock.harness;

import dev.paddock.executor.AbortSignal;
import java.util.List;

/**
 * What a model is given for one turn.
 *
 * @param systemPrompt who the assistant is and where it works
 * @param messages the conversation, oldest first. Messages of the user may follow one another; each call of an assistant's
 *     message has its result in the message after it
 * @param tools what the model may call
 * @param signal aborted when the turn is no longer wanted
 */
public record ModelRequest(
        String systemPrompt, List<Message> messages, List<ToolSpecification> tools, AbortSignal signal) {

    /** Makes a request; the lists are copied. */
    public ModelRequest {
        messages = List.copyOf(messages);
        tools = List.copyOf(tools);
    }
}
