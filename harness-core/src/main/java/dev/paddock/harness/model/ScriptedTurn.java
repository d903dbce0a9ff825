package dev.paddock.harness.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.text.JsonNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** One turn of a script. */
record ScriptedTurn(String thought, String text, List<Call> calls, List<String> expect) {

    record Call(String tool, Json arguments) {}

    static List<ScriptedTurn> all(String script, JsonNode root) {
        requireFields("script " + script, root, Set.of("turns"));
        if (!root.path("turns").isArray()) {
            throw new ScriptException("script " + script + ": it has no list 'turns'");
        }
        List<ScriptedTurn> turns = new ArrayList<>();
        for (JsonNode node : root.get("turns")) {
            turns.add(of("script " + script + ", turn " + (turns.size() + 1), node));
        }
        return List.copyOf(turns);
    }

    private static ScriptedTurn of(String where, JsonNode node) {
        requireFields(where, node, Set.of("thought", "text", "calls", "expect"));
        String thought = node.has("thought") ? text(where, node, "thought") : "";
        String text = node.has("text") ? text(where, node, "text") : "";
        List<Call> calls = new ArrayList<>();
        if (node.has("calls") && !node.get("calls").isArray()) {
            throw new ScriptException(where + ": 'calls' is no list: " + node.get("calls"));
        }
        for (JsonNode call : node.path("calls")) {
            calls.add(call(where + ", call " + (calls.size() + 1), call));
        }
        return new ScriptedTurn(thought, text, List.copyOf(calls), expect(where, node));
    }

    private static Call call(String where, JsonNode node) {
        requireFields(where, node, Set.of("tool", "arguments"));
        if (!(node.get("arguments") instanceof ObjectNode arguments)) {
            throw new ScriptException(where + ": 'arguments' is no object: " + node.path("arguments"));
        }
        try {
            return new Call(text(where, node, "tool"), JsonNodes.json(arguments));
        } catch (IllegalArgumentException fault) {
            throw new ScriptException(where + ": 'arguments': " + fault.getMessage(), fault);
        }
    }

    private static List<String> expect(String where, JsonNode node) {
        JsonNode expect = node.path("expect");
        if (expect.isMissingNode()) {
            return List.of();
        }
        List<String> texts = new ArrayList<>();
        for (JsonNode one : expect.isArray() ? expect : List.of(expect)) {
            if (!one.isTextual()) {
                throw new ScriptException(where + ": 'expect' is no text, nor a list of texts: " + expect);
            }
            texts.add(one.asText());
        }
        return List.copyOf(texts);
    }

    private static String text(String where, JsonNode node, String field) {
        JsonNode value = node.path(field);
        if (!value.isTextual()) {
            throw new ScriptException(where + ": '" + field + "' is no text: " + value);
        }
        return value.asText();
    }

    private static void requireFields(String where, JsonNode node, Set<String> known) {
        if (!node.isObject()) {
            throw new ScriptException(where + ": it is no object: " + node);
        }
        node.fieldNames().forEachRemaining(field -> {
            if (!known.contains(field)) {
                throw new ScriptException(where + ": '" + field + "' is not known; there may be "
                        + String.join(", ", known.stream().sorted().toList()));
            }
        });
    }
}
