package dev.paddock.harness.model;

import dev.paddock.harness.tools.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A model's view of a tool.
 *
 * @since 0.1
 */
public final class ToolSpecification {
    private final String name;
    private final String description;
    private final Json inputSchema;

    private ToolSpecification(String name, String description, Json inputSchema) {
        this.name = name;
        this.description = description;
        this.inputSchema = inputSchema;
    }

    /**
     * Returns a description of a tool.
     *
     * @param name the name by which the model calls the tool
     * @param description what the tool does and when to use it
     * @param inputSchema the arguments, as a JSON schema of type {@code object}
     */
    public static ToolSpecification of(String name, String description, Json inputSchema) {
        return new ToolSpecification(name, description, inputSchema);
    }

    /** {@return the name by which the model calls the tool} */
    public String name() {
        return name;
    }

    /** {@return what the tool does and when to use it} */
    public String description() {
        return description;
    }

    /** {@return the arguments, as a JSON schema of type {@code object}} */
    public Json inputSchema() {
        return inputSchema;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ToolSpecification that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "ToolSpecification" + parts();
    }

    private List<Object> parts() {
        return List.of(name, description, inputSchema);
    }
}
