package dev.paddock.harness.tools;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What a tool call came to.
 *
 * @param text what the model reads
 * @param isError whether it failed
 * @param details the same in a form for programs: exit status, totals, a diff. Not sent to the model
 */
public record ToolResult(String text, boolean isError, ObjectNode details) {

    /**
     * A success without details.
     *
     * @param text what the model reads
     * @return the result
     */
    public static ToolResult ok(String text) {
        return new ToolResult(text, false, JsonNodeFactory.instance.objectNode());
    }

    /**
     * A failure without details.
     *
     * @param text what the model reads: what happened, the value at fault, what to do
     * @return the result
     */
    public static ToolResult error(String text) {
        return new ToolResult(text, true, JsonNodeFactory.instance.objectNode());
    }

    /**
     * The failure of a tool that threw what it does not document.
     *
     * @param tool the tool's name
     * @param fault what it threw
     * @return the result
     */
    public static ToolResult failed(String tool, Throwable fault) {
        return error("The tool " + tool + " failed unexpectedly: " + fault);
    }

    /**
     * This result with details.
     *
     * @param value the details
     * @return the result
     */
    public ToolResult withDetails(ObjectNode value) {
        return new ToolResult(text, isError, value);
    }
}
