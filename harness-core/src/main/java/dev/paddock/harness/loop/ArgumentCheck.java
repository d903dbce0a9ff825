package dev.paddock.harness.loop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.harness.tools.text.Excerpt;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Validates a call's arguments against the subset of JSON schema that tools use: required
 * properties, types, enumerations and {@code additionalProperties: false}, also in nested objects
 * and lists.
 */
final class ArgumentCheck {
    private static final int MAX_SHOWN = 80;

    private final List<String> faults = new ArrayList<>();

    private ArgumentCheck() {}

    /** Returns the violations, each a phrase for the model; empty if there are none. */
    static List<String> faults(ObjectNode arguments, JsonNode schema) {
        ArgumentCheck check = new ArgumentCheck();
        check.object("", arguments, schema);
        return check.faults;
    }

    /**
     * Returns the arguments without optional ones that are null: models send null for "left out".
     */
    static ObjectNode withoutNulls(ObjectNode arguments, JsonNode schema) {
        ObjectNode cleaned = arguments.deepCopy();
        List<String> required = required(schema);
        List<String> names = arguments.properties().stream()
                .filter(entry -> entry.getValue().isNull() && !required.contains(entry.getKey()))
                .map(Map.Entry::getKey)
                .toList();
        return cleaned.remove(names);
    }

    private static List<String> required(JsonNode schema) {
        List<String> names = new ArrayList<>();
        schema.path("required").forEach(name -> names.add(name.asText()));
        return names;
    }

    private void object(String prefix, JsonNode value, JsonNode schema) {
        JsonNode properties = schema.path("properties");
        for (String name : required(schema)) {
            if (!value.has(name)) {
                faults.add("'" + prefix + name + "' is missing");
            }
        }
        boolean closed = schema.path("additionalProperties").isBoolean()
                && !schema.path("additionalProperties").asBoolean();
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
            String name = prefix + entry.getKey();
            if (properties.has(entry.getKey())) {
                value(name, entry.getValue(), properties.get(entry.getKey()));
            } else if (closed) {
                faults.add("'" + name + "' is not known");
            }
        }
    }

    private void value(String name, JsonNode value, JsonNode schema) {
        JsonNode type = schema.path("type");
        if (!type.isMissingNode() && !isOfType(value, type)) {
            faults.add("'" + name + "' must be " + typeText(type) + ", but is " + shown(value));
            return;
        }
        if (schema.has("enum") && !contains(schema.get("enum"), value)) {
            faults.add("'" + name + "' must be one of " + schema.get("enum") + ", but is " + shown(value));
        }
        if (value.isObject()) {
            object(name + ".", value, schema);
        } else if (value.isArray() && schema.has("items")) {
            for (int i = 0; i < value.size(); i++) {
                value(name + "[" + i + "]", value.get(i), schema.get("items"));
            }
        }
    }

    private static boolean contains(JsonNode choices, JsonNode value) {
        for (JsonNode choice : choices) {
            if (choice.equals(value)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfType(JsonNode value, JsonNode type) {
        if (type.isArray()) {
            for (JsonNode one : type) {
                if (isOfType(value, one)) {
                    return true;
                }
            }
            return false;
        }
        return switch (type.asText()) {
            case "string" -> value.isTextual();
            case "number" -> value.isNumber();
            // JSON has a single number type: 5.0 is an integer.
            case "integer" -> value.isIntegralNumber() || (value.isNumber() && value.canConvertToExactIntegral());
            case "boolean" -> value.isBoolean();
            case "array" -> value.isArray();
            case "object" -> value.isObject();
            case "null" -> value.isNull();
            default -> true;
        };
    }

    private static String typeText(JsonNode type) {
        return type.isArray() ? "one of " + type : "of type " + type.asText();
    }

    private static String shown(JsonNode value) {
        return Excerpt.cut(value.toString(), MAX_SHOWN);
    }
}
