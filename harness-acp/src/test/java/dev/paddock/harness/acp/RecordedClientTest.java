package dev.paddock.harness.acp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Replays the messages that acpx 0.19.1 of npm, a client for terminals, has sent to {@code paddock acp} with the script of
 * this test; a program between the two has recorded them. The worktree's path and the names of the session and of the
 * agent's questions are placeholders.
 */
class RecordedClientTest extends ServedEditor {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<String> asked = new ArrayList<>();
    private String session = "";

    private static List<String> recorded() throws IOException {
        try (InputStream lines = Objects.requireNonNull(RecordedClientTest.class.getResourceAsStream("acpx.jsonl"))) {
            return new String(lines.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
    }

    /** Sends each message where the client has sent it: a request once the one before is answered. */
    private List<JsonNode> replay(PipeTransport server) throws IOException {
        List<JsonNode> results = new ArrayList<>();
        int last = -1;
        for (String line : recorded()) {
            ObjectNode message = (ObjectNode) JSON.readTree(
                    line.replace("@WORKTREE@", worktree.toString()).replace("@SESSION@", session));
            if (!message.has("method")) {
                message.set("id", question(server));
            } else if (message.has("id")) {
                await(server, last, results);
                last = message.get("id").asInt();
            }
            server.line(JSON.writeValueAsString(message));
            if (message.path("method").asText().equals("session/new")) {
                await(server, last, results);
                session = results.getLast().path("sessionId").asText();
                last = -1;
            }
        }
        await(server, last, results);
        return results;
    }

    private JsonNode question(PipeTransport server) throws IOException {
        JsonNode message = JSON.readTree(server.next());
        while (!message.has("method") || !message.has("id")) {
            assertThat(message.has("method")).as("%s", message).isTrue();
            message = JSON.readTree(server.next());
        }
        asked.add(message.path("method").asText());
        return message.get("id");
    }

    private static void await(PipeTransport server, int id, List<JsonNode> results) throws IOException {
        if (id < 0) {
            return;
        }
        JsonNode message = JSON.readTree(server.next());
        while (message.has("method")) {
            assertThat(message.has("id"))
                    .as("%s, a question that the client was not asked", message)
                    .isFalse();
            message = JSON.readTree(server.next());
        }
        assertThat(message.path("id").asInt()).isEqualTo(id);
        assertThat(message.has("error")).as("%s", message).isFalse();
        results.add(message.get("result"));
    }

    @Test
    void recordedMessagesOfRealClientAreAnswered() throws Exception {
        Files.writeString(worktree.resolve("a.txt"), "one\ntwo\n");
        PipeTransport server = serve(
                host(
                        call("read", Map.of("path", "a.txt")),
                        call("edit", Map.of("path", "a.txt", "old_string", "two", "new_string", "2")),
                        bash("cat a.txt > b.txt"),
                        DONE),
                PATIENCE);
        List<JsonNode> results = replay(server);
        assertThat(results.getLast().path("stopReason").asText()).isEqualTo("end_turn");
        assertThat(worktree.resolve("b.txt")).hasContent("one\n2\n");
        assertThat(asked)
                .containsExactly(
                        "fs/read_text_file",
                        "session/request_permission",
                        "fs/read_text_file",
                        "session/request_permission");
    }
}
