package dev.paddock.harness.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import dev.paddock.harness.tools.text.JsonNodes;
import java.util.ArrayList;
import java.util.List;

/**
 * Converts a message to and from one line of JSON:
 *
 * <pre>{@code
 * {"role":"user","text":"…"}
 * {"role":"assistant","text":"…","toolCalls":[{"id":"…","name":"…","arguments":{…}}]}
 * {"role":"tools","results":[{"callId":"…","tool":"…","text":"…","isError":false,
 *     "images":[{"mediaType":"…","base64":"…"}]}]}
 * }</pre>
 *
 * <p>Unknown fields are ignored, so that a file of a later version can be read.
 */
final class MessageJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    private MessageJson() {}

    static String write(Message message) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        switch (message) {
            case Message.User user -> node.put("role", "user").put("text", user.text());
            case Message.Assistant assistant -> {
                node.put("role", "assistant").put("text", assistant.text());
                ArrayNode calls = node.putArray("toolCalls");
                for (ToolCall call : assistant.toolCalls()) {
                    calls.addObject()
                            .put("id", call.id())
                            .put("name", call.name())
                            .set("arguments", JsonNodes.object(call.arguments()));
                }
            }
            case Message.ToolResults results -> {
                node.put("role", "tools");
                ArrayNode list = node.putArray("results");
                for (Message.ToolOutcome outcome : results.results()) {
                    ObjectNode result = list.addObject()
                            .put("callId", outcome.callId())
                            .put("tool", outcome.tool())
                            .put("text", outcome.text())
                            .put("isError", outcome.isError());
                    for (ToolResult.Image image : outcome.images()) {
                        result.withArray("images")
                                .addObject()
                                .put("mediaType", image.mediaType())
                                .put("base64", image.base64());
                    }
                }
            }
        }
        return node.toString();
    }

    /**
     * Parses a line.
     *
     * @throws JsonProcessingException if the line is not a message
     */
    static Message read(String line) throws JsonProcessingException {
        JsonNode node = JSON.readTree(line);
        String role = node.path("role").asText();
        return switch (role) {
            case "user" -> new Message.User(text(node, "text"));
            case "assistant" -> new Message.Assistant(text(node, "text"), calls(node.path("toolCalls")));
            case "tools" -> new Message.ToolResults(results(node.path("results")));
            default -> throw new MalformedMessageException("its role is '" + role + "'");
        };
    }

    private static List<ToolCall> calls(JsonNode nodes) throws JsonProcessingException {
        List<ToolCall> calls = new ArrayList<>();
        for (JsonNode node : nodes) {
            if (!(node.get("arguments") instanceof ObjectNode arguments)) {
                throw new MalformedMessageException("a tool call has no arguments");
            }
            calls.add(new ToolCall(text(node, "id"), text(node, "name"), json(arguments)));
        }
        return calls;
    }

    private static Json json(ObjectNode arguments) throws JsonProcessingException {
        try {
            return JsonNodes.json(arguments);
        } catch (IllegalArgumentException fault) {
            throw new MalformedMessageException("the arguments of a tool call: " + fault.getMessage());
        }
    }

    private static List<Message.ToolOutcome> results(JsonNode nodes) throws JsonProcessingException {
        List<Message.ToolOutcome> outcomes = new ArrayList<>();
        for (JsonNode node : nodes) {
            outcomes.add(Message.ToolOutcome.of(
                    text(node, "callId"),
                    text(node, "tool"),
                    text(node, "text"),
                    node.path("isError").asBoolean(),
                    images(node.path("images"))));
        }
        return outcomes;
    }

    private static List<ToolResult.Image> images(JsonNode nodes) throws JsonProcessingException {
        List<ToolResult.Image> images = new ArrayList<>();
        for (JsonNode node : nodes) {
            images.add(new ToolResult.Image(text(node, "mediaType"), text(node, "base64")));
        }
        return images;
    }

    private static String text(JsonNode node, String field) throws JsonProcessingException {
        JsonNode value = node.path(field);
        if (!value.isTextual()) {
            throw new MalformedMessageException("it has no text field '" + field + "'");
        }
        return value.asText();
    }

    /** Reports valid JSON that is not a message. */
    private static final class MalformedMessageException extends JsonProcessingException {
        private static final long serialVersionUID = 1L;

        MalformedMessageException(String fault) {
            super(fault);
        }
    }
}
