package dev.paddock.harness.workspace.support;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Reads one JSON object with exactly the expected fields, each once and of its type. Every fault is an
 * {@link IllegalArgumentException} that names the field.
 */
public final class StrictJson {
    private static final int MAX_CHARACTERS = 1 << 16;

    private static final ObjectMapper JSON = new ObjectMapper(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final ObjectNode node;

    private StrictJson(JsonNode node, String name, Set<String> fields) {
        if (!(node instanceof ObjectNode object)) {
            throw new IllegalArgumentException(name + " is not a JSON object");
        }
        Set<String> found = new TreeSet<>();
        object.properties().forEach(property -> found.add(property.getKey()));
        if (!found.equals(fields)) {
            throw new IllegalArgumentException(
                    name + " has not exactly the fields " + new TreeSet<>(fields) + ", but " + found);
        }
        this.node = object;
    }

    /**
     * Parses a text of at most 64 Ki characters.
     *
     * @param name the text's name in messages
     * @param fields the expected fields
     */
    public static StrictJson parse(String text, String name, Set<String> fields) {
        if (text.length() > MAX_CHARACTERS) {
            throw new IllegalArgumentException(name + " has more than " + MAX_CHARACTERS + " characters");
        }
        try {
            return new StrictJson(JSON.readTree(text), name, fields);
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException(name + " is not JSON: " + malformed.getOriginalMessage(), malformed);
        }
    }

    /** Returns a new object to write. */
    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    public String text(String field) {
        JsonNode value = node.get(field);
        if (!value.isTextual()) {
            throw new IllegalArgumentException("'" + field + "' is not a text");
        }
        return value.textValue();
    }

    public int number(String field) {
        JsonNode value = node.get(field);
        if (!value.isInt()) {
            throw new IllegalArgumentException("'" + field + "' is not a whole number");
        }
        return value.intValue();
    }

    /** Returns a list, each element converted. */
    public <T> List<T> list(String field, Function<String, T> converter) {
        JsonNode value = node.get(field);
        if (!value.isArray()) {
            throw new IllegalArgumentException("'" + field + "' is not a list");
        }
        List<T> all = new ArrayList<>();
        for (JsonNode element : value) {
            if (!element.isTextual()) {
                throw new IllegalArgumentException("'" + field + "' has an element that is not a text");
            }
            all.add(converter.apply(element.textValue()));
        }
        return all;
    }

    /** Returns a list of objects, each with exactly these fields. */
    public List<StrictJson> objects(String field, Set<String> fields) {
        JsonNode value = node.get(field);
        if (!value.isArray()) {
            throw new IllegalArgumentException("'" + field + "' is not a list");
        }
        List<StrictJson> all = new ArrayList<>();
        value.forEach(element -> all.add(new StrictJson(element, "an element of '" + field + "'", fields)));
        return all;
    }

    /** Returns an object whose fields are all texts. */
    public Map<String, String> texts(String field) {
        if (!(node.get(field) instanceof ObjectNode object)) {
            throw new IllegalArgumentException("'" + field + "' is not a JSON object");
        }
        Map<String, String> all = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            if (!entry.getValue().isTextual()) {
                throw new IllegalArgumentException("'" + field + "' has a field that is not a text");
            }
            all.put(entry.getKey(), entry.getValue().textValue());
        }
        return all;
    }
}
