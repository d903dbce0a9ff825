package dev.paddock.cli.setup;

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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A provider on this machine that speaks OpenAI's Responses protocol: its model makes the given
 * calls, one in each turn, and then says that it is done.
 */
final class ResponsesServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<JsonNode> requests = new CopyOnWriteArrayList<>();
    private final List<ObjectNode> calls;

    private ResponsesServer(List<ObjectNode> calls) throws IOException {
        this.calls = calls;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/v1/responses", this::answer);
        server.start();
    }

    static ResponsesServer of(List<ObjectNode> calls) throws IOException {
        return new ResponsesServer(calls);
    }

    /** Returns the arguments with which codex carries out one task by this model. */
    List<String> arguments() {
        String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/v1";
        return List.of(
                "exec",
                "--json",
                "--skip-git-repo-check",
                "-c",
                "model=\"scripted\"",
                "-c",
                "model_provider=\"local\"",
                "-c",
                "model_providers.local={name=\"local\",base_url=\"" + url + "\",wire_api=\"responses\"}",
                "make a file");
    }

    /** Returns the names of the tools that the model was offered last. */
    List<String> tools() {
        List<String> names = new ArrayList<>();
        requests.getLast()
                .path("tools")
                .forEach(tool ->
                        names.add(tool.path("name").asText(tool.path("type").asText())));
        return names;
    }

    /** Returns what the model's calls have returned. */
    List<String> outputs() {
        List<String> outputs = new ArrayList<>();
        for (JsonNode item : requests.getLast().path("input")) {
            if (item.path("type").asText().equals("function_call_output")) {
                outputs.add(item.path("output").toString());
            }
        }
        return outputs;
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.add(JSON.readTree(exchange.getRequestBody()));
        int turn = requests.size();
        String id = "response-" + turn;
        ObjectNode created = node();
        created.putObject("response").put("id", id);
        ObjectNode item = node();
        item.set("item", turn <= calls.size() ? calls.get(turn - 1).deepCopy().put("call_id", "call-" + turn) : done());
        ObjectNode completed = node();
        completed
                .putObject("response")
                .put("id", id)
                .putObject("usage")
                .put("input_tokens", 1)
                .put("output_tokens", 1)
                .put("total_tokens", 2);
        byte[] body = (event("response.created", created)
                        + event("response.output_item.done", item)
                        + event("response.completed", completed))
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("content-type", "text/event-stream");
        exchange.sendResponseHeaders(200, body.length);
        try (exchange) {
            exchange.getResponseBody().write(body);
        }
    }

    private static ObjectNode done() {
        ObjectNode message = node().put("type", "message").put("role", "assistant");
        message.putArray("content").addObject().put("type", "output_text").put("text", "done");
        return message;
    }

    private static ObjectNode node() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static String event(String type, ObjectNode data) {
        return "event: " + type + "\ndata: " + data.put("type", type) + "\n\n";
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
