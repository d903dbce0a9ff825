package dev.paddock.harness.acp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** An editor that writes and reads single messages, so that a test decides when it reads. */
record RawEditor(PipeTransport server) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Initializes the server. */
    static RawEditor of(PipeTransport server) throws IOException {
        RawEditor editor = new RawEditor(server);
        editor.send(1_000_000, "initialize", Map.of("protocolVersion", 1));
        assertThat(editor.answer(1_000_000).has("result")).isTrue();
        return editor;
    }

    void send(int id, String method, Map<String, ?> params) throws IOException {
        server.line(JSON.writeValueAsString(Map.of("jsonrpc", "2.0", "id", id, "method", method, "params", params)));
    }

    void prompt(int id, String session) throws IOException {
        send(
                id,
                "session/prompt",
                Map.of("sessionId", session, "prompt", List.of(Map.of("type", "text", "text", "Go"))));
    }

    JsonNode next() throws IOException {
        return JSON.readTree(server.next());
    }

    /** Returns the answer to a request; what comes before it is passed over. */
    JsonNode answer(int id) throws IOException {
        JsonNode message = next();
        while (message.has("method") || message.path("id").asInt(-1) != id) {
            message = next();
        }
        return message;
    }

    void awaitQuestion() throws IOException {
        JsonNode message = next();
        while (!message.path("method").asText().equals("session/request_permission")) {
            message = next();
        }
    }

    String open(Path worktree) throws IOException {
        send(1_000_001, "session/new", Map.of("cwd", worktree.toString(), "mcpServers", List.of()));
        return answer(1_000_001).at("/result/sessionId").asText();
    }
}
