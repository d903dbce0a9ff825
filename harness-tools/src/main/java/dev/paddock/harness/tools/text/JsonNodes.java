package dev.paddock.harness.tools.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.harness.tools.Json;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Converts JSON from and to Jackson's trees, which only Paddock's own modules use. */
public final class JsonNodes {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private JsonNodes() {}

    /**
     * Returns a tree as JSON.
     *
     * @throws IllegalArgumentException if it nests deeper than {@link Json#MAX_DEPTH}
     */
    public static Json json(JsonNode node) {
        return Json.of(plain(node));
    }

    private static Object plain(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT -> {
                Map<String, Object> members = new LinkedHashMap<>();
                node.properties().forEach(member -> members.put(member.getKey(), plain(member.getValue())));
                yield members;
            }
            case ARRAY -> {
                List<Object> elements = new ArrayList<>();
                node.forEach(element -> elements.add(plain(element)));
                yield elements;
            }
            case STRING -> node.textValue();
            case NUMBER -> node.isIntegralNumber() ? Json.of(node.bigIntegerValue()) : Json.of(node.doubleValue());
            case BOOLEAN -> node.booleanValue();
            case NULL, MISSING -> Json.of(null);
            case BINARY, POJO -> throw new IllegalArgumentException("no JSON: " + node);
        };
    }

    /** Returns JSON as a tree, which is the caller's. */
    public static JsonNode node(Json json) {
        return switch (json.kind()) {
            case OBJECT -> object(json);
            case ARRAY -> {
                ArrayNode array = NODES.arrayNode();
                json.elements().forEach(element -> array.add(node(element)));
                yield array;
            }
            case TEXT -> NODES.textNode(json.text());
            case INTEGER -> integer(json);
            case DECIMAL -> NODES.numberNode(json.number());
            case FLAG -> NODES.booleanNode(json.flag());
            case NULL -> NODES.nullNode();
        };
    }

    /** Returns Jackson's own node for an integer: the smallest type that fits. */
    private static JsonNode integer(Json json) {
        BigInteger number = new BigInteger(json.toString());
        if (number.bitLength() < Long.SIZE) {
            long small = number.longValue();
            return small == (int) small ? NODES.numberNode((int) small) : NODES.numberNode(small);
        }
        return NODES.numberNode(number);
    }

    /**
     * Returns an object as a tree, which is the caller's.
     *
     * @throws IllegalStateException if it is no object
     */
    public static ObjectNode object(Json json) {
        ObjectNode object = NODES.objectNode();
        json.members().forEach((name, member) -> object.set(name, node(member)));
        return object;
    }
}
