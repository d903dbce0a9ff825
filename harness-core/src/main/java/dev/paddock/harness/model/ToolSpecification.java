package dev.paddock.harness.model;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What a model knows of a tool.
 *
 * @param name the name to call
 * @param description what it does and when to use it
 * @param inputSchema the arguments, as a JSON schema of type {@code object}
 */
public record ToolSpecification(String name, String description, ObjectNode inputSchema) {}
