package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The option of {@code paddock mcp} that has the agent's user asked about calls. */
class McpAskTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    @TempDir
    private Path state;

    private Optional<CompletableFuture<Integer>> server = Optional.empty();
    private Writer to = Writer.nullWriter();
    private BufferedReader from = new BufferedReader(Reader.nullReader());

    private void start(Map<String, ?> capabilities, String... options) throws Exception {
        String[] words = new String[options.length + 3];
        System.arraycopy(new String[] {"mcp", "--executor", "host"}, 0, words, 0, 3);
        System.arraycopy(options, 0, words, 3, options.length);
        Cli cli = Cli.in(directory).env("XDG_STATE_HOME", state.toString());
        Pipe requests = Pipe.open();
        Pipe answers = Pipe.open();
        to = Channels.newWriter(requests.sink(), StandardCharsets.UTF_8);
        from = new BufferedReader(Channels.newReader(answers.source(), StandardCharsets.UTF_8));
        server = Optional.of(CompletableFuture.supplyAsync(
                () -> cli.callServing(
                        Channels.newInputStream(requests.source()),
                        Channels.newOutputStream(answers.sink()),
                        OutputStream.nullOutputStream(),
                        words),
                task -> new Thread(task, "test-mcp").start()));
        Map<String, ?> who = Map.of("name", "test", "version", "1");
        request(
                0,
                "initialize",
                Map.of("protocolVersion", "2025-06-18", "capabilities", capabilities, "clientInfo", who));
        assertThat(next().has("result")).isTrue();
        send(Map.of("jsonrpc", "2.0", "method", "notifications/initialized"));
    }

    @AfterEach
    void end() throws Exception {
        to.close();
        if (server.isPresent()) {
            assertThat(server.get().orTimeout(60, TimeUnit.SECONDS).join()).isZero();
        }
    }

    private void send(Map<String, ?> message) throws IOException {
        to.write(JSON.writeValueAsString(message) + "\n");
        to.flush();
    }

    private void request(int id, String method, Map<String, ?> parameters) throws IOException {
        send(Map.of("jsonrpc", "2.0", "id", id, "method", method, "params", parameters));
    }

    private void call(int id, String tool, Map<String, ?> arguments) throws IOException {
        request(id, "tools/call", Map.of("name", tool, "arguments", arguments));
    }

    private JsonNode next() throws IOException {
        return JSON.readTree(from.readLine());
    }

    @ParameterizedTest
    @CsvSource({"changes, false", "always, true"})
    void userDecidesAboutCallsOfOption(String when, boolean asksAboutReading) throws Exception {
        start(Map.of("elicitation", Map.of()), "--ask", when);
        call(1, "bash", Map.of("command", "touch made"));
        JsonNode question = next();
        assertThat(question.path("method").asText()).isEqualTo("elicitation/create");
        assertThat(question.path("params").path("message").asText()).contains("touch made");
        assertThat(directory.resolve("made")).doesNotExist();
        Map<String, ?> allow = Map.of("action", "accept", "content", Map.of("decision", "allow"));
        send(Map.of("jsonrpc", "2.0", "id", question.path("id").asText(), "result", allow));
        assertThat(next().path("result").path("isError").asBoolean(true)).isFalse();
        assertThat(directory.resolve("made")).exists();
        call(2, "ls", Map.of());
        JsonNode answer = next();
        assertThat(answer.path("method").asText().equals("elicitation/create")).isEqualTo(asksAboutReading);
    }

    @Test
    void clientThatCannotAskIsDenied() throws Exception {
        start(Map.of(), "--ask", "changes");
        call(1, "write", Map.of("path", "made", "content", "x"));
        JsonNode result = next().path("result");
        assertThat(result.path("isError").asBoolean()).isTrue();
        assertThat(result.path("content").path(0).path("text").asText()).contains("does not support elicitation");
        assertThat(Files.exists(directory.resolve("made"))).isFalse();
    }

    @Test
    void withoutOptionNobodyIsAsked() throws Exception {
        start(Map.of("elicitation", Map.of()));
        call(1, "bash", Map.of("command", "touch made"));
        assertThat(next().path("result").path("isError").asBoolean(true)).isFalse();
        assertThat(directory.resolve("made")).exists();
    }
}
