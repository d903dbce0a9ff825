package dev.paddock.harness.model;

import dev.paddock.harness.tools.Json;

/**
 * A tool as it is described to a model.
 *
 * @param name the name by which the model calls the tool
 * @param description what the tool does and when to use it
 * @param inputSchema the arguments, as a JSON schema of type {@code object}
 * @since 0.1
 */
public record ToolSpecification(String name, String description, Json inputSchema) {}
