package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * However {@code paddock mcp} ends, nothing of it remains: no command, no background shell, no
 * container. What each sandbox ends at a JVM's death is clause C12.
 */
@Tag("full")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class McpEndTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path worktree;

    private final String seconds = "300." + (1_000_000 + new SecureRandom().nextInt(1_000_000));
    private Optional<Process> started = Optional.empty();

    /** A server process that the test exchanges messages with. */
    private record Server(Process process, BufferedReader out, Writer in) {
        void send(Object message) throws IOException {
            in.write(JSON.writeValueAsString(message) + "\n");
            in.flush();
        }

        void call(int id, Map<String, ?> arguments) throws IOException {
            send(Map.of(
                    "jsonrpc",
                    "2.0",
                    "id",
                    id,
                    "method",
                    "tools/call",
                    "params",
                    Map.of("name", "bash", "arguments", arguments)));
        }

        JsonNode answer() throws IOException {
            String line = out.readLine();
            assertThat(line).as("the server's answer").isNotNull();
            return JSON.readTree(line);
        }
    }

    @AfterEach
    void endServer() {
        started.ifPresent(Process::destroyForcibly);
    }

    /**
     * Starts a server with a running command and a background shell; both run sleeps. How many
     * processes match differs between the backends.
     */
    private Server startBusy(McpBackend place) throws Exception {
        place.require();
        Process process = Cli.in(worktree)
                .withSignals()
                .builder(place.arguments())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        started = Optional.of(process);
        Server server = new Server(process, process.inputReader(), process.outputWriter());
        server.send(Map.of(
                "jsonrpc",
                "2.0",
                "id",
                0,
                "method",
                "initialize",
                "params",
                Map.of(
                        "protocolVersion",
                        "2025-06-18",
                        "capabilities",
                        Map.of(),
                        "clientInfo",
                        Map.of("name", "test", "version", "1"))));
        assertThat(server.answer()
                        .path("result")
                        .path("serverInfo")
                        .path("name")
                        .asText())
                .isEqualTo("paddock");
        server.send(Map.of("jsonrpc", "2.0", "method", "notifications/initialized"));
        server.call(1, Map.of("command", "exec sleep " + seconds + "1", "run_in_background", true));
        assertThat(server.answer().path("result").path("isError").asBoolean()).isFalse();
        server.call(2, Map.of("command", "sleep " + seconds + "2 & sleep " + seconds + "2"));
        await("both commands' processes run")
                .atMost(Cli.PATIENCE)
                .until(() -> Cli.processesWith(seconds + "1") > 0 && Cli.processesWith(seconds + "2") > 1);
        assertThat(McpBackend.containers(worktree).isEmpty()).isEqualTo(place != McpBackend.DOCKER);
        return server;
    }

    private void awaitNothingLeft() {
        await("both commands' processes have ended")
                .atMost(Cli.PATIENCE)
                .until(() -> Cli.processesWith(seconds + "1") + Cli.processesWith(seconds + "2") == 0);
        await("the server's container is removed")
                .atMost(Cli.PATIENCE)
                .until(() -> McpBackend.containers(worktree).isEmpty());
    }

    @ParameterizedTest
    @EnumSource(
            value = McpBackend.class,
            names = {"BWRAP", "DOCKER"})
    void closingItsInputEndsIt(McpBackend place) throws Exception {
        Server server = startBusy(place);
        server.in().close();
        assertThat(Cli.awaitExit(server.process())).isZero();
        assertThat(server.out().readLine())
                .as("what is said to a client that has gone")
                .isNull();
        awaitNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(
            value = McpBackend.class,
            names = {"BWRAP", "DOCKER"})
    void TERMEndsIt(McpBackend place) throws Exception {
        Server server = startBusy(place);
        Cli.send("TERM", server.process());
        assertThat(Cli.awaitExit(server.process())).isEqualTo(143);
        awaitNothingLeft();
    }

    @ParameterizedTest
    @EnumSource(
            value = McpBackend.class,
            names = {"HOST", "DOCKER"})
    void C12_KILLEndsIt(McpBackend place) throws Exception {
        Server server = startBusy(place);
        server.process().destroyForcibly().waitFor();
        awaitNothingLeft();
    }

    @Test
    void withoutSandboxThereIsNoServer() throws Exception {
        Cli.Result result = Cli.in(worktree).withoutSandboxes().run("mcp");
        assertThat(result.exitCode()).isEqualTo(125);
        assertThat(result.stdout()).isEmpty();
        assertThat(result.stderr()).startsWith("paddock: ").hasLineCount(1);
    }

    @Test
    void nothingButProtocolIsOnItsOutput() throws Exception {
        Process process = Cli.in(worktree)
                .env("PADDOCK_DEBUG", "1")
                .builder("mcp", "--executor", "host")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        process.getOutputStream()
                .write("garbage\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n"
                        .getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        BufferedReader out = process.inputReader();
        assertThat(JSON.readTree(out.readLine()).path("error").path("code").asInt())
                .isEqualTo(-32700);
        assertThat(JSON.readTree(out.readLine()).path("id").asInt()).isEqualTo(1);
        process.getOutputStream().close();
        assertThat(Cli.awaitExit(process)).isZero();
        assertThat(out.readLine()).isNull();
    }
}
