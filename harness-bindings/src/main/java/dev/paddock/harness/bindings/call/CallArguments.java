package dev.paddock.harness.bindings.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.harness.bindings.BindingException;
import dev.paddock.harness.bindings.BindingException.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads the arguments of one call from a guest; rejects unknown fields. */
final class CallArguments {
    private final String method;
    private final ObjectNode fields;

    /**
     * Creates arguments.
     *
     * @throws BindingException if they are not an object, or have an unknown field
     */
    CallArguments(String method, JsonNode arguments, Set<String> known) {
        this.method = method;
        if (!(arguments instanceof ObjectNode object)) {
            throw invalid("the arguments are no object");
        }
        fields = object;
        object.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                throw invalid("there is no argument '" + name + "'; known are "
                        + String.join(", ", known.stream().sorted().toList()));
            }
        });
    }

    private Optional<JsonNode> field(String name) {
        return Optional.ofNullable(fields.get(name)).filter(value -> !value.isNull());
    }

    /** Returns a text without NUL. */
    String text(String name) {
        String text = content(name);
        if (text.indexOf('\0') >= 0) {
            throw invalid("'" + name + "' contains NUL");
        }
        return text;
    }

    /** Returns any text. */
    String content(String name) {
        return optionalContent(name).orElseThrow(() -> invalid("the argument '" + name + "' is missing"));
    }

    Optional<String> optionalText(String name) {
        return field(name).isPresent() ? Optional.of(text(name)) : Optional.empty();
    }

    Optional<String> optionalContent(String name) {
        return field(name).map(value -> {
            if (!value.isTextual()) {
                throw invalid("'" + name + "' is no text");
            }
            return value.textValue();
        });
    }

    boolean flag(String name, boolean otherwise) {
        return field(name)
                .map(value -> {
                    if (!value.isBoolean()) {
                        throw invalid("'" + name + "' is neither true nor false");
                    }
                    return value.booleanValue();
                })
                .orElse(otherwise);
    }

    /** Returns a whole number from 0 to 2,147,483,647. */
    Optional<Integer> number(String name) {
        return field(name).map(value -> {
            if (!value.isIntegralNumber() || !value.canConvertToInt() || value.intValue() < 0) {
                throw invalid("'" + name + "' is no whole number from 0 to " + Integer.MAX_VALUE);
            }
            return value.intValue();
        });
    }

    Optional<Duration> milliseconds(String name) {
        return number(name).map(Duration::ofMillis);
    }

    /** Returns one text or several. */
    Optional<List<String>> texts(String name) {
        return field(name).map(value -> {
            List<String> texts = new ArrayList<>();
            Iterable<JsonNode> each = value.isArray() ? value : List.of(value);
            for (JsonNode one : each) {
                if (!one.isTextual() || one.textValue().indexOf('\0') >= 0) {
                    throw invalid("'" + name + "' is no list of texts without NUL");
                }
                texts.add(one.textValue());
            }
            return texts;
        });
    }

    Map<String, String> variables(String name) {
        Map<String, String> variables = new LinkedHashMap<>();
        field(name).ifPresent(value -> {
            if (!value.isObject()) {
                throw invalid("'" + name + "' is no object of texts");
            }
            value.properties().forEach(entry -> {
                if (!entry.getValue().isTextual()) {
                    throw invalid("'" + name + "' is no object of texts");
                }
                variables.put(entry.getKey(), entry.getValue().textValue());
            });
        });
        return variables;
    }

    BindingException invalid(String why) {
        return new BindingException(Reason.INVALID, method + ": " + why);
    }
}
