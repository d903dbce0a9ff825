package dev.paddock.harness.tools;

import java.util.Optional;

/**
 * Defines an operation that a session offers its model: a name, a description and an argument schema that the model
 * reads, and the code that a call runs.
 *
 * <p>The tools of one turn run concurrently, and one tool may have several concurrent calls: implementations must be
 * thread-safe.
 *
 * @since 0.1
 */
public interface Tool {

    /**
     * {@return the name by which the model calls the tool: 1 to 64 letters, digits, {@code _} and {@code -}; the same
     * on each call}
     */
    String name();

    /**
     * {@return a short title for people, such as {@code Run a command}, without a full stop; the same on each call; the
     * name by default}
     */
    default String title() {
        return name();
    }

    /** {@return a description for the model, plain text: what the tool does and when to use it} */
    String description();

    /** {@return the JSON schema of the arguments, of type {@code object}} */
    Json inputSchema();

    /**
     * Returns the JSON schema of those {@linkplain ToolResult#details() details} that clients may
     * rely on, of type {@code object}. None of them is required: a call that fails early has none.
     *
     * @return the schema; empty by default, for a tool whose text alone is its result
     */
    default Optional<Json> outputSchema() {
        return Optional.empty();
    }

    /** {@return where the tool takes effect; the same on each call} */
    ExecutionSite executionSite();

    /**
     * Returns whether a call changes nothing, at any execution site.
     *
     * @return the same on each call; false by default, because callers may rely on true
     */
    default boolean isReadOnly() {
        return false;
    }

    /**
     * Executes a call. Blocks until the call is complete; returns early, with an error result, when
     * {@link ToolContext#signal()} is aborted.
     *
     * @param call the call; its arguments have been checked against the schema's required names and
     *     types
     * @param context the services that the session provides to this call
     * @return the result for the model; if the attempted operation fails, a result flagged as an
     *     error
     * @throws ToolException if the call cannot be carried out; the message becomes an error result
     */
    ToolResult execute(ToolCall call, ToolContext context);
}
