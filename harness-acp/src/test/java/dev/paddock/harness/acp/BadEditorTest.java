package dev.paddock.harness.acp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages that no editor should send: each gets an answer of the protocol's own kind. */
class BadEditorTest extends ServedEditor {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static void request(PipeTransport to, int id, String method, Object params) throws IOException {
        to.line(JSON.writeValueAsString(Map.of("jsonrpc", "2.0", "id", id, "method", method, "params", params)));
    }

    /** Returns the answer to a request; updates and questions are passed over. */
    private static JsonNode answer(PipeTransport from, int id) throws IOException {
        while (true) {
            JsonNode message = JSON.readTree(from.next());
            if (!message.has("method") && message.path("id").asInt(-1) == id) {
                return message;
            }
        }
    }

    private static int code(JsonNode answer) {
        return answer.path("error").path("code").asInt();
    }

    private PipeTransport initialized(String... turns) throws IOException {
        PipeTransport server = serve(host(turns), PATIENCE);
        request(server, 0, "initialize", Map.of("protocolVersion", 1));
        assertThat(answer(server, 0).path("result").path("protocolVersion").asInt())
                .isEqualTo(1);
        return server;
    }

    private String session(PipeTransport server) throws IOException {
        request(server, 1, "session/new", Map.of("cwd", worktree.toString(), "mcpServers", List.of()));
        JsonNode opened = answer(server, 1).path("result");
        assertThat(opened.at("/modes/currentModeId").asText()).isEqualTo("ask");
        assertThat(opened.at("/models/currentModelId").asText()).isEqualTo("first");
        assertThat(opened.at("/configOptions/0/category").asText()).isEqualTo("model");
        return opened.path("sessionId").asText();
    }

    private static Map<String, Object> prompt(String session, Map<String, ?> block) {
        return Map.of("sessionId", session, "prompt", List.of(block));
    }

    private static Map<String, Object> text(String text) {
        return Map.of("type", "text", "text", text);
    }

    @Test
    void anotherVersionIsAnsweredWithOurs() throws Exception {
        PipeTransport server = serve(host(DONE), PATIENCE);
        request(server, 7, "initialize", Map.of("protocolVersion", 99));
        assertThat(answer(server, 7).path("result").path("protocolVersion").asInt())
                .isEqualTo(1);
        request(server, 8, "initialize", Map.of());
        assertThat(code(answer(server, 8))).isEqualTo(-32602);
    }

    @Test
    void nothingComesBeforeInitialize() throws Exception {
        PipeTransport server = serve(host(DONE), PATIENCE);
        request(server, 7, "session/new", Map.of("cwd", worktree.toString(), "mcpServers", List.of()));
        assertThat(code(answer(server, 7))).isEqualTo(-32600);
    }

    @Test
    void lineThatIsNoMessageIsPassedOver() throws Exception {
        PipeTransport server = initialized(DONE);
        server.line("no JSON");
        assertThat(code(JSON.readTree(server.next()))).isEqualTo(-32700);
        server.line("{\"jsonrpc\":\"2.0\"}");
        assertThat(code(JSON.readTree(server.next()))).isEqualTo(-32600);
        assertThat(session(server)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "[]",
                "7",
                "\"text\"",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":null}",
                "{\"jsonrpc\":\"2.0\",\"id\":[],\"method\":{}}"
            })
    void strangeLineIsAnsweredAndConnectionGoesOn(String line) throws Exception {
        PipeTransport server = initialized(DONE);
        server.line(line);
        JsonNode error = JSON.readTree(server.next()).path("error");
        assertThat(error.path("code").asInt()).isIn(-32600, -32700);
        assertThat(error.path("message").asText()).isNotBlank();
        assertThat(session(server)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"jsonrpc\":\"2.0\",\"method\":null}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"no/such\"}",
                "{\"jsonrpc\":\"2.0\",\"method\":\"session/cancel\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":null}"
            })
    void strangeNotificationOrAnswerDoesNotEndConnection(String line) throws Exception {
        PipeTransport server = initialized(DONE);
        server.line(line);
        assertThat(session(server)).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            session/fork             | {"sessionId":"x","cwd":"/"}                                    | -32601
            session/delete           | {"sessionId":"x"}                                              | -32601
            no/such                  | {}                                                             | -32601
            session/new              | {"mcpServers":[]}                                              | -32602
            session/new              | {"cwd":"relative","mcpServers":[]}                             | -32602
            session/new              | {"cwd":"/","mcpServers":[],"additionalDirectories":["/tmp"]}   | -32602
            session/new              | {"cwd":"/","mcpServers":[{"type":"http","name":"a","url":"u","headers":[]}]} | -32602
            session/new              | {"cwd":7,"mcpServers":7}                                       | -32602
            session/load             | {"cwd":"/","mcpServers":[]}                                    | -32602
            session/prompt           | {"sessionId":"x","prompt":[{"type":"text","text":"x"}]}        | -32002
            session/prompt           | {"prompt":[{"type":"text","text":"x"}]}                        | -32002
            session/prompt           | {"sessionId":"x","prompt":[{"type":"mystery"}]}                | -32602
            session/prompt           | {"sessionId":"x","prompt":[{"type":"text"}]}                   | -32602
            session/prompt           | {"sessionId":"x","prompt":[{"type":"text","text":null}]}       | -32602
            session/prompt           | {"sessionId":"x","prompt":[{"type":"resource_link","name":"a"}]} | -32602
            session/prompt           | {"sessionId":"x","prompt":[{"type":"resource","resource":{"uri":"file:///a"}}]} | -32602
            session/prompt           | {"sessionId":"x","prompt":[null]}                              | -32602
            session/set_mode         | {"sessionId":"x","modeId":"ask"}                               | -32002
            session/set_model        | {"sessionId":"x","modelId":"a"}                                | -32002
            session/set_config_option| {"sessionId":"x","configId":"model","value":"a"}               | -32002
            session/close            | {"sessionId":"x"}                                              | -32002
            """)
    void eachMistakeHasItsCode(String method, String params, int code) throws Exception {
        PipeTransport server = initialized(DONE);
        request(server, 7, method, JSON.readTree(params));
        JsonNode answer = answer(server, 7);
        assertThat(code(answer)).as("%s", answer).isEqualTo(code);
        assertThat(answer.path("error").path("message").asText()).isNotBlank();
    }

    @Test
    void promptDuringPromptIsRefusedAndFirstGoesOn() throws Exception {
        PipeTransport server = initialized(bash(gated()), DONE);
        String session = session(server);
        request(server, 2, "session/set_mode", Map.of("sessionId", session, "modeId", "all"));
        request(server, 3, "session/prompt", prompt(session, text("Go")));
        JsonNode question = JSON.readTree(server.next());
        while (!question.path("method").asText().equals("session/request_permission")) {
            question = JSON.readTree(server.next());
        }
        request(server, 4, "session/prompt", prompt(session, text("And this")));
        JsonNode refusal = answer(server, 4);
        assertThat(code(refusal)).isEqualTo(-32600);
        assertThat(refusal.at("/error/message").asText()).contains("is at work on a prompt");
        server.line(JSON.writeValueAsString(Map.of(
                "jsonrpc",
                "2.0",
                "id",
                question.path("id"),
                "result",
                Map.of("outcome", Map.of("outcome", "selected", "optionId", "once")))));
        awaitFile("runs");
        Files.createFile(worktree.resolve("go"));
        assertThat(answer(server, 3).at("/result/stopReason").asText()).isEqualTo("end_turn");
    }

    @Test
    void imageIsRefusedAndLinkNamesItsFile() throws Exception {
        ScriptedSessions sessions = host(DONE);
        PipeTransport server = serve(sessions, PATIENCE);
        request(server, 0, "initialize", Map.of("protocolVersion", 1));
        answer(server, 0);
        String session = session(server);
        request(
                server,
                2,
                "session/prompt",
                prompt(session, Map.of("type", "image", "data", "AA==", "mimeType", "image/png")));
        assertThat(code(answer(server, 2))).isEqualTo(-32602);
        request(server, 3, "session/prompt", prompt(session, text(" ")));
        assertThat(code(answer(server, 3))).isEqualTo(-32602);
        request(
                server,
                4,
                "session/prompt",
                Map.of(
                        "sessionId",
                        session,
                        "prompt",
                        List.of(
                                text("See "),
                                Map.of("type", "resource_link", "name", "a", "uri", "file:///work/a.txt"))));
        assertThat(answer(server, 4).at("/result/stopReason").asText()).isEqualTo("end_turn");
        assertThat(sessions.opened.getFirst().messages().getFirst().toString()).contains("See /work/a.txt");
    }

    @Test
    void modelIsChosenByRequestOfEarlierVersions() throws Exception {
        ScriptedSessions sessions = host(DONE);
        PipeTransport server = serve(sessions, PATIENCE);
        request(server, 0, "initialize", Map.of("protocolVersion", 1));
        answer(server, 0);
        request(server, 2, "session/set_model", Map.of("sessionId", session(server), "modelId", "second"));
        assertThat(answer(server, 2).has("result")).isTrue();
        assertThat(sessions.models).containsExactly("first", "second");
    }

    @Test
    void failedModelIsErrorAndSessionGoesOn() throws Exception {
        PipeTransport server = initialized("{\"expect\": \"no result\", \"text\": \"x\"}", DONE);
        String session = session(server);
        request(server, 2, "session/prompt", prompt(session, text("Go")));
        JsonNode failed = answer(server, 2);
        assertThat(code(failed)).isEqualTo(-32603);
        assertThat(failed.at("/error/message").asText()).contains("do not contain");
        request(server, 3, "session/prompt", prompt(session, text("Again")));
        assertThat(answer(server, 3).at("/result/stopReason").asText()).isEqualTo("end_turn");
    }
}
