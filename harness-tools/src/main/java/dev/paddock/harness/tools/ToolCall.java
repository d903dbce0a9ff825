package dev.paddock.harness.tools;

/**
 * A tool call by the model.
 *
 * @param id the call's id, unique within the session
 * @param name the tool's name
 * @param arguments the arguments, an object
 * @since 0.1
 */
public record ToolCall(String id, String name, Json arguments) {

    /**
     * Creates a call.
     *
     * @throws IllegalArgumentException if the arguments are no object
     */
    public ToolCall {
        // AssistantTurn rejects null, with a message for the author of the adapter.
        if (arguments != null && arguments.kind() != Json.Kind.OBJECT) {
            throw new IllegalArgumentException("the arguments of " + name + " are no object: " + arguments.kind());
        }
    }
}
