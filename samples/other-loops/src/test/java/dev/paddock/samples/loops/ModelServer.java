package dev.paddock.samples.loops;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server of OpenAI's protocol on this machine, which gives one answer after the other. */
final class ModelServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final Queue<ObjectNode> answers = new ConcurrentLinkedQueue<>();
    private final List<JsonNode> requests = new CopyOnWriteArrayList<>();

    ModelServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/chat/completions", this::answer);
        server.start();
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    ModelServer calling(String tool, String arguments) {
        ObjectNode message = JsonNodeFactory.instance.objectNode();
        message.putArray("tool_calls")
                .addObject()
                .put("id", "call-" + answers.size())
                .put("type", "function")
                .putObject("function")
                .put("name", tool)
                .put("arguments", arguments.replace('\'', '"'));
        return then(message, "tool_calls");
    }

    ModelServer saying(String text) {
        return then(JsonNodeFactory.instance.objectNode().put("content", text), "stop");
    }

    private ModelServer then(ObjectNode message, String finishReason) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("id", "chatcmpl-1")
                .put("object", "chat.completion")
                .put("created", 1)
                .put("model", "test-model");
        ObjectNode choice = body.putArray("choices").addObject().put("index", 0).put("finish_reason", finishReason);
        choice.set("message", message.put("role", "assistant"));
        answers.add(body);
        return this;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            requests.add(JSON.readTree(exchange.getRequestBody()));
            byte[] body = String.valueOf(answers.poll()).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    /** Returns the names of the tools that the first request offers. */
    List<String> offered() {
        return requests.getFirst()
                .path("tools")
                .valueStream()
                .map(tool -> tool.path("function").path("name").asText())
                .toList();
    }

    /** Returns the tool results that the last request ends with. */
    List<String> results() {
        return requests.getLast()
                .path("messages")
                .valueStream()
                .filter(message -> message.path("role").asText().equals("tool"))
                .map(message -> message.path("content").asText())
                .toList();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
