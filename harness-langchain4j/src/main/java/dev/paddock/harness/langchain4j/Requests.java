package dev.paddock.harness.langchain4j;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.model.ModelRequest;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.text.JsonNodes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Translates the session's requests to the library's types. */
final class Requests {
    private static final String DEFINITIONS = "$defs";
    /** The name of {@code $defs} in older schemas. */
    private static final String OLD_DEFINITIONS = "definitions";
    /** Keywords that are passed on otherwise, or mean nothing to a model. */
    private static final List<String> SAID =
            List.of("type", "properties", "required", "$schema", "$id", "$comment", "title");

    private Requests() {}

    static ChatRequest of(ModelRequest request, Peer peer, boolean withImages) {
        List<ChatMessage> messages = new ArrayList<>();
        if (!request.systemPrompt().isBlank()) {
            messages.add(SystemMessage.from(request.systemPrompt()));
        }
        SentImages images =
                SentImages.of(request.messages(), withImages, peer.name().equals(Provider.ANTHROPIC.label()));
        request.messages().forEach(message -> add(messages, message, images));
        ChatRequest.Builder builder = ChatRequest.builder().messages(messages);
        // The library drops them for Ollama.
        boolean takesDefinitions = !peer.name().equals(Provider.OLLAMA.label());
        List<ToolSpecification> tools = request.tools().stream()
                .map(tool -> tool(tool, takesDefinitions))
                .toList();
        return tools.isEmpty()
                ? builder.build()
                : builder.toolSpecifications(tools).build();
    }

    /**
     * Adds a message. Providers reject messages without text; one that has neither text nor calls
     * is omitted.
     */
    private static void add(List<ChatMessage> messages, Message message, SentImages images) {
        switch (message) {
            case Message.User user -> messages.add(UserMessage.from(spoken(user.text())));
            case Message.Assistant assistant -> {
                boolean isSilent = assistant.text().isBlank();
                if (!isSilent || !assistant.toolCalls().isEmpty()) {
                    AiMessage.Builder builder = AiMessage.builder()
                            .toolExecutionRequests(assistant.toolCalls().stream()
                                    .map(Requests::call)
                                    .toList());
                    messages.add(
                            isSilent
                                    ? builder.build()
                                    : builder.text(assistant.text()).build());
                }
            }
            case Message.ToolResults results -> messages.addAll(images.messages(results));
        }
    }

    /** Returns text that providers accept; they reject blank text. */
    static String spoken(String text) {
        return text.isBlank() ? "(empty)" : text;
    }

    private static ToolExecutionRequest call(ToolCall call) {
        return ToolExecutionRequest.builder()
                .id(call.id())
                .name(call.name())
                .arguments(call.arguments().toString())
                .build();
    }

    /**
     * Translates a tool. The properties are passed on as raw JSON: the library's own types support
     * less of JSON schema than tools use. Keywords beside them that the library has no field for
     * (and providers reject, such as {@code anyOf}) are appended to the description instead.
     */
    static ToolSpecification tool(dev.paddock.harness.model.ToolSpecification tool, boolean takesDefinitions) {
        ObjectNode rest = JsonNodes.object(tool.inputSchema());
        JsonObjectSchema.Builder parameters = JsonObjectSchema.builder()
                .addProperties(raw(rest.path("properties")))
                .required(texts(rest.path("required")));
        rest.remove(SAID);
        if (rest.path("additionalProperties").isBoolean()) {
            parameters.additionalProperties(rest.remove("additionalProperties").asBoolean());
        }
        ObjectNode definitions = takeDefinitions(rest);
        if (!definitions.isEmpty()) {
            if (takesDefinitions) {
                parameters.definitions(raw(definitions));
            } else {
                rest.set(DEFINITIONS, definitions);
            }
        }
        return ToolSpecification.builder()
                .name(tool.name())
                .description(
                        tool.description() + (rest.isEmpty() ? "" : "\n\nOf the arguments together: " + text(rest)))
                .parameters(parameters.build())
                .build();
    }

    private static ObjectNode takeDefinitions(ObjectNode schema) {
        ObjectNode definitions = JsonNodeFactory.instance.objectNode();
        for (String keyword : List.of(OLD_DEFINITIONS, DEFINITIONS)) {
            if (schema.remove(keyword) instanceof ObjectNode some) {
                definitions.setAll(some);
            }
        }
        return definitions;
    }

    /** Returns a schema's text; references to definitions point to where the library puts them. */
    private static String text(JsonNode schema) {
        return schema.toString().replace("\"$ref\":\"#/" + OLD_DEFINITIONS + "/", "\"$ref\":\"#/" + DEFINITIONS + "/");
    }

    private static Map<String, JsonSchemaElement> raw(JsonNode properties) {
        Map<String, JsonSchemaElement> elements = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> property : properties.properties()) {
            // In JSON schema, "true" and "false" mean anything and nothing; the library accepts
            // only objects.
            String text = property.getValue().isObject() ? text(property.getValue()) : "{}";
            elements.put(property.getKey(), JsonRawSchema.from(text));
        }
        return elements;
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(one -> texts.add(one.asText()));
        return texts;
    }
}
