package dev.paddock.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.paddock.harness.model.AssistantTurn;
import dev.paddock.harness.model.Message;
import dev.paddock.harness.model.Model;
import dev.paddock.harness.model.ModelRequest;
import dev.paddock.harness.tools.ToolCall;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A provider on this machine that speaks Anthropic's streaming protocol, and answers with the turns
 * of a given model.
 */
public final class ModelServer implements AutoCloseable {
    public static final String SECRET = "sk-ant-very-secret-0123456789";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<JsonNode> requests = new CopyOnWriteArrayList<>();
    private final Model brain;

    private ModelServer(Model brain) throws IOException {
        this.brain = brain;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/v1/messages", this::answer);
        server.start();
    }

    public static ModelServer of(Model brain) throws IOException {
        return new ModelServer(brain);
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    public List<JsonNode> requests() {
        return requests;
    }

    /** Returns the variables with which a program asks this provider. */
    public Map<String, String> environment() {
        return Map.of("ANTHROPIC_API_KEY", SECRET, "ANTHROPIC_BASE_URL", url());
    }

    Cli knownTo(Cli cli) {
        environment().forEach(cli::env);
        return cli;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode body = JSON.readTree(exchange.getRequestBody());
            requests.add(body);
            boolean isKnown = SECRET.equals(exchange.getRequestHeaders().getFirst("x-api-key"));
            byte[] answer = (isKnown ? events(brain.respond(request(body), text -> {})) : "no")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(isKnown ? 200 : 401, 0);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(answer);
            }
        }
    }

    private static ModelRequest request(JsonNode body) {
        List<Message> messages = new ArrayList<>();
        for (JsonNode message : body.path("messages")) {
            List<Message.ToolOutcome> outcomes = new ArrayList<>();
            for (JsonNode block : message.path("content")) {
                if (block.has("tool_use_id")) {
                    String id = block.path("tool_use_id").asText();
                    outcomes.add(
                            Message.ToolOutcome.of(id, "", block.path("content").asText(), false));
                }
            }
            messages.add(outcomes.isEmpty() ? new Message.User("") : new Message.ToolResults(outcomes));
        }
        return ModelRequest.builder(messages).build();
    }

    private static ObjectNode node() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static String event(String type, ObjectNode data) {
        return "event: " + type + "\ndata: " + data.put("type", type) + "\n\n";
    }

    private static String events(AssistantTurn turn) {
        StringBuilder events = new StringBuilder();
        ObjectNode start = node();
        start.putObject("message").put("id", "msg_1").putObject("usage").put("input_tokens", 100);
        events.append(event("message_start", start));
        int index = 0;
        if (!turn.text().isEmpty()) {
            ObjectNode delta = node().put("type", "text_delta").put("text", turn.text());
            block(events, index++, node().put("type", "text").put("text", ""), delta);
        }
        for (ToolCall call : turn.toolCalls()) {
            ObjectNode use = node().put("type", "tool_use").put("id", call.id()).put("name", call.name());
            use.putObject("input");
            String arguments = call.arguments().toString();
            block(events, index++, use, node().put("type", "input_json_delta").put("partial_json", arguments));
        }
        ObjectNode end = node();
        end.putObject("delta").put("stop_reason", turn.toolCalls().isEmpty() ? "end_turn" : "tool_use");
        end.putObject("usage").put("output_tokens", 10);
        return events.append(event("message_delta", end))
                .append(event("message_stop", node()))
                .toString();
    }

    private static void block(StringBuilder events, int index, ObjectNode block, ObjectNode delta) {
        ObjectNode start = node().put("index", index);
        start.set("content_block", block);
        ObjectNode more = node().put("index", index);
        more.set("delta", delta);
        events.append(event("content_block_start", start))
                .append(event("content_block_delta", more))
                .append(event("content_block_stop", node().put("index", index)));
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
