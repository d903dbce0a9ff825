package dev.paddock.journeys;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A client of {@code paddock mcp}, which runs in the tests' JVM: one request after another. */
final class McpClient implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final PipedOutputStream to = new PipedOutputStream();
    private final ByteArrayOutputStream stderr = new ByteArrayOutputStream();
    private final List<JsonNode> notifications = new ArrayList<>();
    private final BufferedReader from;
    private final CompletableFuture<Integer> server;
    private int requests;

    private McpClient(Paddock paddock, String... options) throws IOException {
        PipedInputStream stdin = new PipedInputStream(to);
        PipedOutputStream stdout = new PipedOutputStream();
        from = new BufferedReader(new InputStreamReader(new PipedInputStream(stdout, 1 << 20), StandardCharsets.UTF_8));
        String[] words = new String[options.length + 1];
        words[0] = "mcp";
        System.arraycopy(options, 0, words, 1, options.length);
        server = CompletableFuture.supplyAsync(
                () -> paddock.run(stdin, stdout, stderr, words),
                task -> Thread.ofPlatform().start(task));
    }

    /** Starts the server with its options, and the session. */
    static McpClient start(Paddock paddock, String... options) throws IOException {
        McpClient client = new McpClient(paddock, options);
        JsonNode started = client.request(
                "initialize",
                Map.of(
                        "protocolVersion",
                        "2025-06-18",
                        "capabilities",
                        Map.of(),
                        "clientInfo",
                        Map.of("name", "test", "version", "1")));
        assertThat(started.has("serverInfo")).isTrue();
        client.send(Map.of("jsonrpc", "2.0", "method", "notifications/initialized"));
        return client;
    }

    private void send(Map<String, ?> message) throws IOException {
        to.write((JSON.writeValueAsString(message) + "\n").getBytes(StandardCharsets.UTF_8));
        to.flush();
    }

    private JsonNode next() throws IOException {
        String line = from.readLine();
        assertThat(line).as(stderr::toString).isNotNull();
        return JSON.readTree(line);
    }

    /** Sends a request, and returns its result. */
    JsonNode request(String method, Map<String, ?> parameters) throws IOException {
        requests++;
        send(Map.of("jsonrpc", "2.0", "id", requests, "method", method, "params", parameters));
        while (true) {
            JsonNode message = next();
            if (message.path("id").asInt() == requests) {
                return message.path("result");
            }
            notifications.add(message);
        }
    }

    /** Calls a tool, and returns the result's content. */
    JsonNode content(String tool, Map<String, ?> arguments) throws IOException {
        return request("tools/call", Map.of("name", tool, "arguments", arguments))
                .path("content");
    }

    /** Calls a tool, which must succeed unless the text begins with "failed: ". */
    String call(String tool, Map<String, ?> arguments) throws IOException {
        JsonNode result = request("tools/call", Map.of("name", tool, "arguments", arguments));
        String text = result.path("content").path(0).path("text").asText();
        return result.path("isError").asBoolean() ? "failed: " + text : text;
    }

    String bash(String command) throws IOException {
        return call("bash", Map.of("command", command));
    }

    /** Returns the first notification of a kind, and waits for it if it has not come. */
    JsonNode notification(String method) throws IOException {
        Optional<JsonNode> come = notifications.stream()
                .filter(message -> message.path("method").asText().equals(method))
                .findFirst();
        if (come.isPresent()) {
            return come.get().path("params");
        }
        notifications.add(next());
        return notification(method);
    }

    int requests() {
        return requests;
    }

    /** Ends the server, which must not fail. */
    @Override
    public void close() throws IOException {
        to.close();
        assertThat(server.join()).as(stderr::toString).isZero();
    }
}
