package dev.paddock.harness.tools.text;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Builds the JSON schema of a tool's arguments: an object that has these and no others. */
public final class Schema {
    private final ObjectNode schema = JsonNodeFactory.instance.objectNode();

    /** Begins one without arguments. */
    public Schema() {
        schema.put("type", "object");
        schema.putObject("properties");
        schema.putArray("required");
        schema.put("additionalProperties", false);
    }

    /**
     * Adds an argument that has to be given.
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
     * Adds an argument that may be left out.
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
     * The schema as it is now.
     *
     * @return a copy, the caller's own
     */
    public ObjectNode build() {
        return schema.deepCopy();
    }
}
