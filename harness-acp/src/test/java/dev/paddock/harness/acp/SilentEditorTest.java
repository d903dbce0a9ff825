package dev.paddock.harness.acp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paddock.harness.mcp.wire.MessageReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Editors that do not answer what the texts of files are, or answer nonsense. */
class SilentEditorTest extends ServedEditor {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String READ = call("read", Map.of("path", "a.txt"));
    private static final String EDIT = call("edit", Map.of("path", "a.txt", "old_string", "two", "new_string", "2"));
    private static final String UNKNOWN = "unsaved changes of this file is not known: it has not answered within";

    private final List<JsonNode> unanswered = new ArrayList<>();
    private int id;

    private PipeTransport initialized(Duration patience, String... turns) throws IOException {
        Files.writeString(worktree.resolve("a.txt"), "one\ntwo\n");
        PipeTransport server = serve(host(turns), patience);
        request(
                server,
                "initialize",
                Map.of("protocolVersion", 1, "clientCapabilities", Map.of("fs", Map.of("readTextFile", true))));
        return server;
    }

    private String session(PipeTransport server) throws IOException {
        String session = request(server, "session/new", Map.of("cwd", worktree.toString(), "mcpServers", List.of()))
                .path("sessionId")
                .asText();
        request(server, "session/set_mode", Map.of("sessionId", session, "modeId", "all"));
        return session;
    }

    private int send(PipeTransport server, String method, Map<String, ?> params) throws IOException {
        id++;
        server.line(JSON.writeValueAsString(Map.of("jsonrpc", "2.0", "id", id, "method", method, "params", params)));
        return id;
    }

    private JsonNode request(PipeTransport server, String method, Map<String, ?> params) throws IOException {
        return result(server, send(server, method, params));
    }

    /** Returns the result of a request, and leaves the questions that come before it without an answer. */
    private JsonNode result(PipeTransport server, int request) throws IOException {
        while (true) {
            JsonNode message = JSON.readTree(server.next());
            if (message.path("method").asText().equals("fs/read_text_file")) {
                unanswered.add(message);
            } else if (!message.has("method") && message.path("id").asInt(-1) == request) {
                assertThat(message.has("error")).as("%s", message).isFalse();
                return message.path("result");
            }
        }
    }

    private void awaitQuestion(PipeTransport server) throws IOException {
        JsonNode message = JSON.readTree(server.next());
        while (!message.path("method").asText().equals("fs/read_text_file")) {
            message = JSON.readTree(server.next());
        }
        unanswered.add(message);
    }

    private static String answer(JsonNode question, Object result) throws IOException {
        return JSON.writeValueAsString(Map.of("jsonrpc", "2.0", "id", question.path("id"), "result", result));
    }

    private static Map<String, Object> prompt(String session) {
        return Map.of("sessionId", session, "prompt", List.of(Map.of("type", "text", "text", "Go")));
    }

    @Test
    void fileOnDiskIsReadAndNothingWrittenUntilEditorAnswers() throws Exception {
        PipeTransport server = initialized(
                Duration.ofSeconds(1),
                READ,
                after("2\ttwo\n[Whether the user's editor has " + UNKNOWN, EDIT),
                after("Nothing was written. Try again, or tell the user", DONE),
                EDIT,
                DONE);
        Path file = worktree.resolve("a.txt");
        String session = session(server);
        assertThat(request(server, "session/prompt", prompt(session))
                        .path("stopReason")
                        .asText())
                .isEqualTo("end_turn");
        assertThat(file).hasContent("one\ntwo\n");

        for (JsonNode late : List.copyOf(unanswered)) {
            server.line(answer(late, Map.of("content", "late\n")));
        }
        int second = send(server, "session/prompt", prompt(session));
        awaitQuestion(server);
        server.line(answer(unanswered.getLast(), Map.of("content", "one\ntwo\n")));
        assertThat(result(server, second).path("stopReason").asText()).isEqualTo("end_turn");
        assertThat(file).hasContent("one\n2\n");
        assertThat(unanswered).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "7", "{\"content\":null}", "{\"content\":{}}"})
    void malformedAnswerIsSaidAndFileOnDiskUsed(String result) throws Exception {
        PipeTransport server = initialized(
                PATIENCE,
                READ,
                after("gave no text of this file: its answer is malformed; the file on disk was used.]", DONE));
        int prompt = send(server, "session/prompt", prompt(session(server)));
        awaitQuestion(server);
        server.line("{\"jsonrpc\":\"2.0\",\"id\":" + unanswered.getFirst().path("id") + ",\"result\":" + result + "}");
        assertThat(result(server, prompt).path("stopReason").asText()).isEqualTo("end_turn");
    }

    @Test
    void errorIsSaidAndFileOnDiskUsed() throws Exception {
        String used = "gave no text of this file: it answers 'no such buffer'; the file on disk was used.]";
        PipeTransport server =
                initialized(PATIENCE, READ, after("2\ttwo\n[The user's editor " + used, EDIT), after(used, DONE));
        int prompt = send(server, "session/prompt", prompt(session(server)));
        for (int i = 0; i < 2; i++) {
            awaitQuestion(server);
            server.line("{\"jsonrpc\":\"2.0\",\"id\":" + unanswered.getLast().path("id")
                    + ",\"error\":{\"code\":-32002,\"message\":\"no such buffer\"}}");
        }
        assertThat(result(server, prompt).path("stopReason").asText()).isEqualTo("end_turn");
        assertThat(worktree.resolve("a.txt")).hasContent("one\n2\n");
    }

    /** It is passed over by the reader of messages, so that the question stays without an answer. */
    @Test
    void textThatIsTooLongIsNotTaken() throws Exception {
        PipeTransport server = initialized(Duration.ofSeconds(1), READ, after(UNKNOWN, DONE));
        int prompt = send(server, "session/prompt", prompt(session(server)));
        awaitQuestion(server);
        server.line(answer(unanswered.getFirst(), Map.of("content", "x".repeat(MessageReader.MAX_BYTES))));
        assertThat(result(server, prompt).path("stopReason").asText()).isEqualTo("end_turn");
    }

    @Test
    void editorThatAnswersNothingIsAskedBoundedlyOften() throws Exception {
        List<String> turns = new ArrayList<>(List.of(READ));
        for (int i = 0; i < 8; i++) {
            turns.add(after(UNKNOWN, READ));
        }
        turns.add(after("it has left 8 questions unanswered", DONE));
        PipeTransport server = initialized(Duration.ofMillis(100), turns.toArray(String[]::new));
        assertThat(request(server, "session/prompt", prompt(session(server)))
                        .path("stopReason")
                        .asText())
                .isEqualTo("end_turn");
        assertThat(unanswered).hasSize(8);
    }
}
