package dev.paddock.harness.model;

import dev.paddock.executor.AbortSignal;
import java.util.List;

/**
 * The input of one turn: the conversation, the tools and the abort signal. Immutable; created by
 * {@link #builder}.
 *
 * <p>Defaults: no system prompt, no tools, a signal that is never aborted.
 *
 * @since 0.1
 */
public final class ModelRequest {
    private final String systemPrompt;
    private final List<Message> messages;
    private final List<ToolSpecification> tools;
    private final AbortSignal signal;

    private ModelRequest(Builder builder) {
        systemPrompt = builder.systemPrompt;
        messages = builder.messages;
        tools = builder.tools;
        signal = builder.signal;
    }

    /**
     * Returns a builder with the defaults.
     *
     * @param messages the conversation, oldest first; copied
     */
    public static Builder builder(List<? extends Message> messages) {
        return new Builder(messages);
    }

    /**
     * {@return the system prompt, which describes the assistant's role and its working directory; empty if there is
     * none}
     */
    public String systemPrompt() {
        return systemPrompt;
    }

    /**
     * {@return the conversation, oldest message first; unmodifiable} Several user messages may follow one another; each
     * call in an assistant's message has its result in the message after it.
     */
    public List<Message> messages() {
        return messages;
    }

    /** {@return the tools that the model may call; unmodifiable} */
    public List<ToolSpecification> tools() {
        return tools;
    }

    /** {@return the signal that is aborted when the turn is no longer wanted} */
    public AbortSignal signal() {
        return signal;
    }

    /** Collects the values of a request. Not safe for use by several threads. */
    public static final class Builder {
        private final List<Message> messages;
        private String systemPrompt = "";
        private List<ToolSpecification> tools = List.of();
        private AbortSignal signal = AbortSignal.never();

        private Builder(List<? extends Message> messages) {
            this.messages = List.copyOf(messages);
        }

        /**
         * Sets the system prompt, which describes the assistant's role and its working directory.
         *
         * @param value the text
         */
        public Builder systemPrompt(String value) {
            systemPrompt = value;
            return this;
        }

        /**
         * Sets the tools that the model may call.
         *
         * @param value the tools; copied
         */
        public Builder tools(List<ToolSpecification> value) {
            tools = List.copyOf(value);
            return this;
        }

        /** Sets the signal that is aborted when the turn is no longer wanted. */
        public Builder signal(AbortSignal value) {
            signal = value;
            return this;
        }

        /** {@return the request} */
        public ModelRequest build() {
            return new ModelRequest(this);
        }
    }
}
