package dev.paddock.samples.loops;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Objects;
import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

/**
 * Speaks as much of OpenAI's protocol as the tests need: Spring AI's own model of it brings dozens
 * of libraries.
 */
final class HttpChatModel implements ChatModel {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final URI url;
    private final HttpClient http = HttpClient.newHttpClient();

    HttpChatModel(String baseUrl) {
        url = URI.create(baseUrl + "/chat/completions");
    }

    @Override
    public ChatResponse call(Prompt prompt) {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("model", "test-model");
        prompt.getInstructions().forEach(message -> add(body.withArray("messages"), message));
        if (prompt.getOptions() instanceof ToolCallingChatOptions options) {
            Objects.requireNonNullElse(options.getToolCallbacks(), List.<ToolCallback>of())
                    .forEach(tool -> add(body.withArray("tools"), tool.getToolDefinition()));
        }
        JsonNode message = post(body).path("choices").path(0).path("message");
        return new ChatResponse(List.of(new Generation(AssistantMessage.builder()
                .content(message.path("content").asText())
                .toolCalls(message.path("tool_calls")
                        .valueStream()
                        .map(call -> new AssistantMessage.ToolCall(
                                call.path("id").asText(),
                                "function",
                                call.path("function").path("name").asText(),
                                call.path("function").path("arguments").asText()))
                        .toList())
                .build())));
    }

    private JsonNode post(ObjectNode body) {
        HttpRequest request = HttpRequest.newBuilder(url)
                .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                .build();
        try {
            return JSON.readTree(
                    http.send(request, HttpResponse.BodyHandlers.ofString()).body());
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    private static void add(ArrayNode messages, Message message) {
        if (message instanceof ToolResponseMessage results) {
            for (ToolResponseMessage.ToolResponse result : results.getResponses()) {
                messages.addObject().put("role", "tool").put("content", result.responseData());
            }
        } else {
            String role = message.getMessageType().getValue();
            messages.addObject().put("role", role).put("content", message.getText());
        }
    }

    private static void add(ArrayNode tools, ToolDefinition tool) {
        tools.addObject()
                .put("type", "function")
                .putObject("function")
                .put("name", tool.name())
                .put("description", tool.description());
    }

    @Override
    public ChatOptions getOptions() {
        return ToolCallingChatOptions.builder().build();
    }
}
