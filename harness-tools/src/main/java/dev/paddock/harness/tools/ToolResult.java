package dev.paddock.harness.tools;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Holds the result of a tool call.
 *
 * @param text the text for the model
 * @param isError whether the call failed
 * @param details the same result in machine-readable form: exit status, totals, a diff. Not sent to
 *     the model
 */
public record ToolResult(String text, boolean isError, ObjectNode details) {

    /**
     * Returns a successful result without details.
     *
     * @param text the text for the model
     * @return the result
     */
    public static ToolResult ok(String text) {
        return new ToolResult(text, false, JsonNodeFactory.instance.objectNode());
    }

    /**
     * Returns an error result without details.
     *
     * @param text the text for the model: what happened, the offending value, what to do
     * @return the result
     */
    public static ToolResult error(String text) {
        return new ToolResult(text, true, JsonNodeFactory.instance.objectNode());
    }

    /**
     * Returns the error result of a tool that threw an exception which it does not document.
     *
     * @param tool the tool's name
     * @param fault the exception
     * @return the result
     */
    public static ToolResult failed(String tool, Throwable fault) {
        return error("The tool " + tool + " failed unexpectedly: " + fault);
    }

    /**
     * Returns this result with other details.
     *
     * @param value the details
     * @return the result
     */
    public ToolResult withDetails(ObjectNode value) {
        return new ToolResult(text, isError, value);
    }
}
