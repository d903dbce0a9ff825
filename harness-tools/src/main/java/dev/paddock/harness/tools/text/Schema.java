package dev.paddock.harness.tools.text;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Builds the JSON schema of a tool's arguments: an object that has these properties and no others.
 */
public final class Schema {
    private final ObjectNode schema = JsonNodeFactory.instance.objectNode();

    /** Creates a schema without arguments. */
    public Schema() {
        schema.put("type", "object");
        schema.putObject("properties");
        schema.putArray("required");
        schema.put("additionalProperties", false);
    }

    /**
     * Adds a required argument.
     *
     * @param name its name
     * @param type its type, as JSON schema calls it
     * @param description what it means, for the model
     * @return this schema
     */
    public Schema required(String name, String type, String description) {
        schema.withArray("required").add(name);
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
        schema.withObject("/properties").putObject(name).put("type", type).put("description", description);
        return this;
    }

    /**
     * Returns the schema in its current state.
     *
     * @return a copy, owned by the caller
     */
    public ObjectNode build() {
        return schema.deepCopy();
    }
}
