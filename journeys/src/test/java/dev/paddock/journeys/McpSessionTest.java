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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client of {@code paddock mcp} repairs a small project in twenty steps, each of which needs the one before. */
@EnabledOnOs(OS.LINUX)
class McpSessionTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path root;

    private Path project = Path.of("project");
    private Paddock paddock = Paddock.in(project, project);

    @BeforeEach
    void create() throws Exception {
        Programs.require("git");
        Path real = root.toRealPath();
        project = Files.createDirectory(real.resolve("project"));
        paddock = Paddock.in(project, Files.createDirectory(real.resolve("home")));
        Files.writeString(project.resolve("greet.sh"), "echo helo\n");
        paddock.host("git init -q && git add . && git -c user.name=a -c user.email=a@example.org commit -qm first");
    }

    /** The client's side of one session. */
    private static final class Client {
        private final PipedOutputStream to;
        private final BufferedReader from;
        private int steps;

        Client(PipedOutputStream to, PipedInputStream from) {
            this.to = to;
            this.from = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8));
        }

        void send(Map<String, ?> message) throws IOException {
            to.write((JSON.writeValueAsString(message) + "\n").getBytes(StandardCharsets.UTF_8));
            to.flush();
        }

        JsonNode request(String method, Map<String, ?> parameters) throws IOException {
            steps++;
            send(Map.of("jsonrpc", "2.0", "id", steps, "method", method, "params", parameters));
            while (true) {
                JsonNode message = JSON.readTree(from.readLine());
                if (message.path("id").asInt() == steps) {
                    return message.path("result");
                }
            }
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
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void projectIsRepairedInTwentySteps(String sandbox) throws Exception {
        PipedOutputStream to = new PipedOutputStream();
        PipedInputStream stdin = new PipedInputStream(to);
        PipedOutputStream stdout = new PipedOutputStream();
        Client client = new Client(to, new PipedInputStream(stdout, 1 << 20));
        ByteArrayOutputStream stderr = new ByteArrayOutputStream();
        CompletableFuture<Integer> server = CompletableFuture.supplyAsync(
                () -> paddock.run(stdin, stdout, stderr, "mcp", "--executor", sandbox),
                task -> Thread.ofPlatform().start(task));
        try {
            repair(client);
        } finally {
            to.close();
        }
        assertThat(server.get()).as(stderr::toString).isZero();
        assertThat(project.resolve("greet.sh")).hasContent("echo hello");
        assertThat(paddock.host("git log --format=%s -1")).isEqualTo("repaired\n");
    }

    private void repair(Client client) throws IOException {
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
        assertThat(client.request("tools/list", Map.of()).path("tools").findValuesAsText("name"))
                .contains("bash", "read", "write", "edit", "ls", "grep", "find");
        assertThat(client.call("ls", Map.of())).contains("greet.sh");
        assertThat(client.call("read", Map.of("path", "greet.sh"))).contains("helo");
        assertThat(client.bash("sh greet.sh")).contains("helo");
        assertThat(client.call("write", Map.of("path", "test.sh", "content", "sh greet.sh | grep -q hello\n")))
                .doesNotStartWith("failed");
        assertThat(client.bash("sh test.sh")).startsWith("failed").contains("exited with code 1");
        assertThat(client.call("grep", Map.of("pattern", "helo"))).contains("greet.sh");
        assertThat(client.call("edit", Map.of("path", "greet.sh", "old_string", "nothing", "new_string", "x")))
                .as("a mistake of the model's")
                .startsWith("failed");
        assertThat(client.call("edit", Map.of("path", "greet.sh", "old_string", "helo", "new_string", "hello")))
                .doesNotStartWith("failed");
        assertThat(client.bash("sh test.sh")).doesNotStartWith("failed");
        assertThat(client.call("find", Map.of("glob", "*.sh"))).contains("greet.sh", "test.sh");
        assertThat(client.bash("git diff --stat")).contains("greet.sh");
        assertThat(client.bash("mkdir -p a/b && cd a/b && pwd")).contains(project + "/a/b");
        assertThat(client.bash("cd ../.. && pwd"))
                .as("a command begins where the last one ended")
                .startsWith(project.toString())
                .doesNotContain("a/b");
        assertThat(client.bash("echo x >/usr/kept")).startsWith("failed");
        assertThat(client.bash("seq 100000")).contains("100000");
        assertThat(client.bash("git add . && git -c user.name=b -c user.email=b@example.org commit -qm repaired"))
                .doesNotStartWith("failed");
        assertThat(client.bash("git status --short")).doesNotContain("greet.sh");
        assertThat(client.bash("sh greet.sh")).contains("hello");
        assertThat(client.steps).isEqualTo(20);
    }
}
