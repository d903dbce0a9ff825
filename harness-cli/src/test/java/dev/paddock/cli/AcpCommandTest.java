package dev.paddock.cli;

import static dev.paddock.cli.Turns.DONE;
import static dev.paddock.cli.Turns.bash;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paddock.cli.terminal.Console;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code paddock acp} with an editor of the tests' own, which reads and writes the lines of the protocol. */
class AcpCommandTest extends AgentCommandCase {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** An editor; its messages so far are those without an answer. */
    private final class Editor implements AutoCloseable {
        private final Pipe.SinkChannel sink;
        private final OutputStream toServer;
        private final BufferedReader fromServer;
        private final CompletableFuture<Integer> exitCode;
        private final ByteArrayOutputStream stderr = new ByteArrayOutputStream();
        private final List<JsonNode> updates = new ArrayList<>();
        private String choice = "once";
        private int questions;
        private int id;

        Editor(String... options) throws IOException {
            Pipe requests = Pipe.open();
            Pipe answers = Pipe.open();
            sink = requests.sink();
            toServer = Channels.newOutputStream(sink);
            fromServer = new BufferedReader(Channels.newReader(answers.source(), StandardCharsets.UTF_8));
            String[] words = Stream.concat(Stream.of("acp"), Stream.of(options)).toArray(String[]::new);
            exitCode = CompletableFuture.supplyAsync(
                    () -> cli().callServing(
                                    Channels.newInputStream(requests.source()),
                                    Channels.newOutputStream(answers.sink()),
                                    stderr,
                                    words),
                    task -> new Thread(task, "test-acp").start());
            assertThat(request("initialize", Map.of("protocolVersion", 1))
                            .at("/agentCapabilities/loadSession")
                            .asBoolean())
                    .isTrue();
        }

        private void send(Map<String, ?> message) throws IOException {
            toServer.write((JSON.writeValueAsString(message) + "\n").getBytes(StandardCharsets.UTF_8));
            toServer.flush();
        }

        /** Sends a request and returns its result, or its error; answers questions meanwhile. */
        JsonNode request(String method, Map<String, ?> params) throws IOException {
            id++;
            send(Map.of("jsonrpc", "2.0", "id", id, "method", method, "params", params));
            while (true) {
                JsonNode message = JSON.readTree(String.valueOf(fromServer.readLine()));
                if (message.path("method").asText().equals("session/request_permission")) {
                    questions++;
                    Map<String, ?> outcome = Map.of("outcome", "selected", "optionId", choice);
                    send(Map.of("jsonrpc", "2.0", "id", message.get("id"), "result", Map.of("outcome", outcome)));
                } else if (message.has("method")) {
                    updates.add(message.at("/params/update"));
                } else {
                    return message.has("error") ? message.get("error") : message.get("result");
                }
            }
        }

        String open() throws IOException {
            JsonNode opened = request("session/new", Map.of("cwd", directory.toString(), "mcpServers", List.of()));
            assertThat(opened.path("sessionId").asText()).as("%s", opened).isNotEmpty();
            return opened.path("sessionId").asText();
        }

        String prompt(String session, String text) throws IOException {
            Map<String, ?> block = Map.of("type", "text", "text", text);
            return request("session/prompt", Map.of("sessionId", session, "prompt", List.of(block)))
                    .path("stopReason")
                    .asText();
        }

        String said() {
            StringBuilder text = new StringBuilder();
            updates.stream()
                    .filter(one -> one.path("sessionUpdate").asText().equals("agent_message_chunk"))
                    .forEach(one -> text.append(one.at("/content/text").asText()));
            return text.toString();
        }

        @Override
        public void close() throws IOException {
            sink.close();
            assertThat(exitCode.orTimeout(60, TimeUnit.SECONDS).join())
                    .as("%s", stderr)
                    .isZero();
        }
    }

    @Test
    void sandboxedSessionIsWorkedInAndGoneOnWithInAnotherProgram() throws Exception {
        McpBackend.BWRAP.require();
        Files.createDirectory(directory.resolve("inside"));
        String outside = state.resolve("outside").toString();
        String script = script(
                bash("touch inside/made; touch " + outside + "; pwd"),
                "{\"expect\": \"" + directory.toRealPath() + "\", \"text\": \"Done.\"}");
        String session;
        try (Editor editor = new Editor("--executor", "bwrap", "--script", script)) {
            session = editor.open();
            assertThat(editor.prompt(session, "Make it")).isEqualTo("end_turn");
            assertThat(editor.questions).isEqualTo(1);
            assertThat(editor.said()).startsWith("_Commands run in a sandbox").contains("Network: off", "Done.");
        }
        assertThat(directory.resolve("inside/made")).exists();
        assertThat(state.resolve("outside")).doesNotExist();
        try (Editor editor = new Editor("--executor", "bwrap", "--script", script(DONE))) {
            JsonNode listed = editor.request(
                    "session/list", Map.of("cwd", directory.toRealPath().toString()));
            assertThat(listed.at("/sessions/0/sessionId").asText()).isEqualTo(session);
            assertThat(listed.at("/sessions/0/title").asText()).isEqualTo("Make it");
            Path link = Files.createSymbolicLink(state.resolve("link"), directory);
            assertThat(editor.request("session/list", Map.of("cwd", link.toString())))
                    .isEqualTo(listed);
            assertThat(editor.request(
                                    "session/list",
                                    Map.of("cwd", state.resolve("gone").toString()))
                            .path("sessions"))
                    .isEmpty();
            JsonNode loaded = editor.request(
                    "session/load", Map.of("sessionId", session, "cwd", directory.toString(), "mcpServers", List.of()));
            assertThat(loaded.at("/modes/currentModeId").asText())
                    .as("%s", loaded)
                    .isEqualTo("ask");
            assertThat(editor.updates.getFirst().at("/content/text").asText()).isEqualTo("Make it");
            assertThat(editor.prompt(session, "And now?")).isEqualTo("end_turn");
        }
    }

    /** A server whose tool says whether it can write outside of the worktree, and a variable of its own. */
    private static final String SERVER = """
            while read -r line; do
              id=$(printf %s "$line" | sed -n 's/.*"id":\\("[^"]*"\\|[0-9]*\\).*/\\1/p')
              case $line in
                *'"initialize"'*) result='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":
                    {"name":"where","version":"1"}}' ;;
                *'"tools/list"'*) result='{"tools":[{"name":"where","description":"Says where it runs","inputSchema":
                    {"type":"object"}}]}' ;;
                *'"tools/call"'*) if touch "$OUTSIDE"; then place=host; else place=sandbox; fi 2>/dev/null
                    result='{"content":[{"type":"text","text":"in the '$place' '$GIVEN'"}]}' ;;
                *) continue ;;
              esac
              printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$(printf %s "$result" | tr -d '\\n')"
            done
            """;

    private Map<String, ?> server(String name, String given) {
        return Map.of(
                "name",
                name,
                "command",
                "sh",
                "args",
                List.of(directory.resolve("server.sh").toString()),
                "env",
                List.of(
                        Map.of("name", "GIVEN", "value", given),
                        Map.of(
                                "name",
                                "OUTSIDE",
                                "value",
                                state.resolve("outside").toString())));
    }

    @Test
    void serversOfEditorRunInSandboxAlsoUnderOneName() throws Exception {
        McpBackend.BWRAP.require();
        Files.writeString(directory.resolve("server.sh"), SERVER);
        String call = "\"calls\": [{\"tool\": \"mcp__my-notes%s__where\", \"arguments\": {}}]}";
        String script = script(
                "{" + call.formatted(""),
                "{\"expect\": \"in the sandbox one\", " + call.formatted("-2"),
                "{\"expect\": \"in the sandbox two\", \"text\": \"Done.\"}");
        try (Editor editor = new Editor("--executor", "bwrap", "--script", script)) {
            List<Map<String, ?>> servers = List.of(server("my notes", "one"), server("my.notes", "two"));
            JsonNode opened = editor.request("session/new", Map.of("cwd", directory.toString(), "mcpServers", servers));
            assertThat(editor.prompt(opened.path("sessionId").asText(), "Where?"))
                    .as("%s %s", opened, editor.stderr)
                    .isEqualTo("end_turn");
            assertThat(editor.questions).isEqualTo(2);
        }
        assertThat(state.resolve("outside")).doesNotExist();
    }

    @Test
    void modeAllAsksNothingInSandbox() throws Exception {
        McpBackend.BWRAP.require();
        try (Editor editor = new Editor("--executor", "bwrap", "--script", script(bash("touch made"), DONE))) {
            String session = editor.open();
            editor.request("session/set_mode", Map.of("sessionId", session, "modeId", "all"));
            editor.choice = "reject";
            assertThat(editor.prompt(session, "Make it")).isEqualTo("end_turn");
            assertThat(editor.questions).isZero();
        }
        assertThat(directory.resolve("made")).exists();
    }

    @Test
    void whatCannotBeOpenedIsRefusedAndNextSessionOpens() throws Exception {
        try (Editor editor = new Editor("--executor", "host", "--script", script(DONE))) {
            JsonNode none = editor.request(
                    "session/new", Map.of("cwd", directory.resolve("none").toString(), "mcpServers", List.of()));
            assertThat(none.path("code").asInt()).isEqualTo(-32602);
            assertThat(none.path("message").asText()).contains("the worktree does not exist");
            JsonNode unknown = editor.request(
                    "session/load", Map.of("sessionId", "none", "cwd", directory.toString(), "mcpServers", List.of()));
            assertThat(unknown.path("code").asInt()).isEqualTo(-32002);
            String session = editor.open();
            JsonNode other = editor.request("session/set_model", Map.of("sessionId", session, "modelId", "other"));
            assertThat(other.path("code").asInt()).isEqualTo(-32602);
            assertThat(editor.prompt(session, "Go")).isEqualTo("end_turn");
            assertThat(editor.said()).startsWith("_**Commands run without a sandbox, with your rights**");
            assertThat(editor.prompt(editor.open(), "A second session")).isEqualTo("end_turn");
        }
    }

    @Test
    void editorNamesDirectory() throws Exception {
        Cli.Result result = cli().run("acp", "--worktree", directory.toString());
        assertThat(result.exitCode()).isEqualTo(Console.MISUSED);
        assertThat(result.stderr()).contains("--worktree: the editor names the directory");
    }
}
