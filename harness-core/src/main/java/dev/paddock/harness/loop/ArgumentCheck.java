package dev.paddock.harness.loop;

import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.Json.Kind;
import dev.paddock.harness.tools.text.Excerpt;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
    static List<String> faults(Json arguments, Json schema) {
        ArgumentCheck check = new ArgumentCheck();
        check.object("", arguments, schema);
        return check.faults;
    }

    /** Drops optional arguments that are null: models send null for "left out". */
    static Json withoutNulls(Json arguments, Json schema) {
        List<String> required = required(schema);
        Map<String, Json> given = new LinkedHashMap<>(arguments.members());
        given.entrySet().removeIf(entry -> is(entry.getValue(), Kind.NULL) && !required.contains(entry.getKey()));
        return Json.of(given);
    }

    private static List<String> required(Json schema) {
        return schema.get("required").map(ArgumentCheck::elements).orElse(List.of()).stream()
                .filter(name -> is(name, Kind.TEXT))
                .map(Json::text)
                .toList();
    }

    private void object(String prefix, Json value, Json schema) {
        Json properties = schema.get("properties").orElse(Json.object());
        for (String name : required(schema)) {
            if (value.get(name).isEmpty()) {
                faults.add("'" + prefix + name + "' is missing");
            }
        }
        boolean closed = schema.get("additionalProperties").equals(Optional.of(Json.of(false)));
        value.members().forEach((key, member) -> {
            String name = prefix + key;
            Optional<Json> property = properties.get(key);
            if (property.isPresent()) {
                value(name, member, property.get());
            } else if (closed) {
                faults.add("'" + name + "' is not known");
            }
        });
    }

    private void value(String name, Json value, Json schema) {
        Optional<Json> type = schema.get("type");
        if (type.isPresent() && !isOfType(value, type.get())) {
            faults.add("'" + name + "' must be " + typeText(type.get()) + ", but is " + shown(value));
            return;
        }
        Optional<Json> choices = schema.get("enum");
        if (choices.isPresent() && !elements(choices.get()).contains(value)) {
            faults.add("'" + name + "' must be one of " + choices.get() + ", but is " + shown(value));
        }
        Optional<Json> items = schema.get("items");
        if (is(value, Kind.OBJECT)) {
            object(name + ".", value, schema);
        } else if (is(value, Kind.ARRAY) && items.isPresent()) {
            List<Json> elements = value.elements();
            for (int i = 0; i < elements.size(); i++) {
                value(name + "[" + i + "]", elements.get(i), items.get());
            }
        }
    }

    private static boolean isOfType(Json value, Json type) {
        if (is(type, Kind.ARRAY)) {
            return type.elements().stream().anyMatch(one -> isOfType(value, one));
        }
        return !is(type, Kind.TEXT)
                || switch (type.text()) {
                    case "string" -> is(value, Kind.TEXT);
                    case "number" -> is(value, Kind.INTEGER) || is(value, Kind.DECIMAL);
                    // JSON has a single number type: 5.0 is an integer.
                    case "integer" ->
                        is(value, Kind.INTEGER)
                                || (is(value, Kind.DECIMAL) && value.number() == Math.rint(value.number()));
                    case "boolean" -> is(value, Kind.FLAG);
                    case "array" -> is(value, Kind.ARRAY);
                    case "object" -> is(value, Kind.OBJECT);
                    case "null" -> is(value, Kind.NULL);
                    default -> true;
                };
    }

    private static boolean is(Json value, Kind kind) {
        return value.kind() == kind;
    }

    /** Returns an array's elements; none for another value, which an MCP server's schema may contain. */
    private static List<Json> elements(Json value) {
        return is(value, Kind.ARRAY) ? value.elements() : List.of();
    }

    private static String typeText(Json type) {
        return is(type, Kind.TEXT) ? "of type " + type.text() : "one of " + type;
    }

    private static String shown(Json value) {
        return Excerpt.cut(value.toString(), MAX_SHOWN);
    }
}
