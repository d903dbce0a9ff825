package dev.paddock.harness.langchain4j;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import dev.paddock.harness.Message;
import dev.paddock.harness.ModelRequest;
import dev.paddock.harness.tool.ToolCall;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the session asks, in the library's words. */
final class Requests {
    private Requests() {}

    static ChatRequest of(ModelRequest request) {
        List<ChatMessage> messages = new ArrayList<>();
        if (!request.systemPrompt().isBlank()) {
            messages.add(SystemMessage.from(request.systemPrompt()));
        }
        request.messages().forEach(message -> add(messages, message));
        ChatRequest.Builder builder = ChatRequest.builder().messages(messages);
        List<ToolSpecification> tools =
                request.tools().stream().map(Requests::tool).toList();
        return tools.isEmpty()
                ? builder.build()
                : builder.toolSpecifications(tools).build();
    }

    /** Providers refuse messages without a text; one that says and wants nothing is left out. */
    private static void add(List<ChatMessage> messages, Message message) {
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
            case Message.ToolResults results ->
                results.results()
                        .forEach(outcome -> messages.add(ToolExecutionResultMessage.builder()
                                .id(outcome.callId())
                                .toolName(outcome.tool())
                                .text(spoken(outcome.text()))
                                .isError(outcome.isError())
                                .build()));
        }
    }

    private static String spoken(String text) {
        return text.isBlank() ? "(empty)" : text;
    }

    private static ToolExecutionRequest call(ToolCall call) {
        return ToolExecutionRequest.builder()
                .id(call.id())
                .name(call.name())
                .arguments(call.arguments().toString())
                .build();
    }

    /** The properties go as they are: the library's own types know less of JSON schema than tools use. */
    private static ToolSpecification tool(dev.paddock.harness.ToolSpecification tool) {
        ObjectNode schema = tool.inputSchema();
        JsonObjectSchema.Builder parameters = JsonObjectSchema.builder()
                .addProperties(raw(schema.path("properties")))
                .required(texts(schema.path("required")));
        Map<String, JsonSchemaElement> definitions = raw(schema.path("$defs"));
        if (!definitions.isEmpty()) {
            parameters.definitions(definitions);
        }
        if (schema.path("additionalProperties").isBoolean()) {
            parameters.additionalProperties(schema.path("additionalProperties").asBoolean());
        }
        return ToolSpecification.builder()
                .name(tool.name())
                .description(tool.description())
                .parameters(parameters.build())
                .build();
    }

    private static Map<String, JsonSchemaElement> raw(JsonNode properties) {
        Map<String, JsonSchemaElement> elements = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> property : properties.properties()) {
            // JSON schema's "true" and "false" stand for anything and nothing; the library takes objects alone.
            String text = property.getValue().isObject() ? property.getValue().toString() : "{}";
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
