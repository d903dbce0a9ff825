package dev.paddock.harness.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paddock.harness.mcp.wire.Threads;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Sends messages that no client library would, to a server in this JVM, over a pair of operating
 * system pipes.
 */
final class RawClient implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The server side of the pipes. */
    @FunctionalInterface
    interface Service {
        void serve(InputStream input, OutputStream output);
    }

    private final OutputStream toServer;
    private final BufferedReader fromServer;
    private final CompletableFuture<Void> served;

    RawClient(Service service) throws IOException {
        Pipe requests = Pipe.open();
        Pipe answers = Pipe.open();
        toServer = Channels.newOutputStream(requests.sink());
        fromServer = new BufferedReader(Channels.newReader(answers.source(), StandardCharsets.UTF_8));
        served = new CompletableFuture<>();
        Threads.daemon("test-server", () -> {
                    service.serve(Channels.newInputStream(requests.source()), Channels.newOutputStream(answers.sink()));
                    served.complete(null);
                })
                .start();
    }

    void line(String line) throws IOException {
        toServer.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        toServer.flush();
    }

    void request(Object id, String method, Map<String, ?> params) throws IOException {
        line(JSON.writeValueAsString(Map.of("jsonrpc", "2.0", "id", id, "method", method, "params", params)));
    }

    void notification(String method, Map<String, ?> params) throws IOException {
        line(JSON.writeValueAsString(Map.of("jsonrpc", "2.0", "method", method, "params", params)));
    }

    void answer(Object id, Map<String, ?> result) throws IOException {
        line(JSON.writeValueAsString(Map.of("jsonrpc", "2.0", "id", id, "result", result)));
    }

    void bash(Object id, String command) throws IOException {
        request(id, "tools/call", Map.of("name", "bash", "arguments", Map.of("command", command)));
    }

    void bash(Object id, String command, Object progressToken) throws IOException {
        request(
                id,
                "tools/call",
                Map.of(
                        "name",
                        "bash",
                        "arguments",
                        Map.of("command", command),
                        "_meta",
                        Map.of("progressToken", progressToken)));
    }

    void initialize() throws IOException {
        initialize(Map.of());
    }

    void initialize(Map<String, ?> capabilities) throws IOException {
        Map<String, ?> who = Map.of("name", "raw", "version", "1");
        request(
                0,
                "initialize",
                Map.of("protocolVersion", "2025-06-18", "capabilities", capabilities, "clientInfo", who));
        assertThat(next().path("result").path("protocolVersion").asText()).isEqualTo("2025-06-18");
        notification("notifications/initialized", Map.of());
    }

    JsonNode next() throws IOException {
        String line = fromServer.readLine();
        assertThat(line).as("the server's next message").isNotNull();
        return JSON.readTree(line);
    }

    /** Returns the text of a tool's result. */
    static String text(JsonNode answer) {
        return answer.path("result").path("content").path(0).path("text").asText();
    }

    void closeInput() throws IOException {
        toServer.close();
    }

    void awaitEnd() throws Exception {
        served.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /** Closes the pipes without any message. */
    @Override
    public void close() throws IOException {
        toServer.close();
        fromServer.close();
    }
}
