package dev.paddock.harness.tools;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Something that a session offers its model to do. A plain object: a name, a description and a schema that the model reads,
 * and what happens when it is called.
 *
 * <p>Tools of one turn run concurrently, and one tool may be called several times at once.
 */
public interface Tool {

    /**
     * The name that the model calls.
     *
     * @return letters, digits, {@code _} and {@code -}, 1 to 64 of them; the same on each call
     */
    String name();

    /**
     * What the tool does and when to use it, for the model.
     *
     * @return plain text
     */
    String description();

    /**
     * The arguments, as a JSON schema of type {@code object}.
     *
     * @return the schema; the caller does not change it
     */
    ObjectNode inputSchema();

    /**
     * Where the tool's effect lands.
     *
     * @return the same on each call
     */
    ExecutionSite effect();

    /**
     * Whether a call changes nothing, wherever it lands.
     *
     * @return the same on each call; false by default, since who calls it may rely on a yes
     */
    default boolean readOnly() {
        return false;
    }

    /**
     * Does it. Blocks until it is done; returns early, with an error result, when {@link ToolContext#signal()} is aborted.
     *
     * @param call the call; its arguments have been checked against the schema's required names and types
     * @param context what the session lends to the call
     * @return what the model is told; a failure of the thing attempted is a result, flagged as an error
     * @throws ToolException if the call cannot be carried out; the message becomes an error result
     */
    ToolResult execute(ToolCall call, ToolContext context);
}
