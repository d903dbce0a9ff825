package dev.paddock.harness.tools.text;

import dev.paddock.harness.tools.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Builds the JSON schema of a tool's arguments: an object that has these properties and no others.
 */
public final class Schema {
    private final Map<String, Json> properties = new LinkedHashMap<>();
    private final List<String> required = new ArrayList<>();

    /**
     * Adds a required argument.
     *
     * @param name its name
     * @param type its type, as JSON schema calls it
     * @param description what it means, for the model
     * @return this schema
     */
    public Schema required(String name, String type, String description) {
        required.add(name);
        return optional(name, type, description);
    }

    /**
     * Adds an optional argument.
     *
     * @param name its name
     * @param type its type, as JSON schema calls it
     * @param description what it means, for the model
     * @return this schema
     */
    public Schema optional(String name, String type, String description) {
        return optional(name, Json.object().with("type", type).with("description", description));
    }

    /**
     * Adds an optional argument.
     *
     * @param name its name
     * @param schema its schema
     * @return this schema
     */
    public Schema optional(String name, Json schema) {
        properties.put(name, schema);
        return this;
    }

    /** {@return the schema in its current state} */
    public Json build() {
        return Json.object()
                .with("type", "object")
                .with("properties", properties)
                .with("required", required)
                .with("additionalProperties", false);
    }
}
