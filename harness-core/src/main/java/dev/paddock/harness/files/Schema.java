package dev.paddock.harness.files;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Builds the JSON schema of a tool's arguments. */
final class Schema {
    private final ObjectNode schema = JsonNodeFactory.instance.objectNode();

    Schema() {
        schema.put("type", "object");
        schema.putObject("properties");
        schema.putArray("required");
        schema.put("additionalProperties", false);
    }

    Schema required(String name, String type, String description) {
        schema.withArray("required").add(name);
        return optional(name, type, description);
    }

    Schema optional(String name, String type, String description) {
        schema.withObject("/properties").putObject(name).put("type", type).put("description", description);
        return this;
    }

    ObjectNode build() {
        return schema.deepCopy();
    }
}
