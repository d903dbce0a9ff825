package dev.paddock.harness.tools;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Holds one tool call by the model.
 *
 * @param id the call's id, unique within the session
 * @param name the tool's name
 * @param arguments the arguments; the tool does not change them
 * @since 0.1
 */
public record ToolCall(String id, String name, ObjectNode arguments) {}
