package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * {@code paddock mcp} with independent clients: the official TypeScript SDK, and the inspector's
 * command line.
 */
@Tag("full")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class McpClientTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int FOR_SDK = 18;
    private static final int FOR_INSPECTOR = 20;

    /** Of a session's defaults. */
    private static final int TOOLS = 10;

    @TempDir
    private Path worktree;

    @TempDir
    private Path home;

    /** The prefix of the arguments of this test's sleeps, which identifies them. */
    private final String token = "300." + (1_000_000 + new SecureRandom().nextInt(1_000_000));

    private final List<Process> started = new ArrayList<>();

    @BeforeEach
    void requireNode() throws Exception {
        Node.require(FOR_SDK);
    }

    @AfterEach
    void endAll() {
        started.forEach(Process::destroyForcibly);
    }

    /** A running client: its reports, and the lines that make it continue. */
    private record Client(Process process, BufferedReader out, Writer in) {

        JsonNode expect(String step) throws IOException {
            String line = out.readLine();
            assertThat(line).as("the client's line on '%s'", step).isNotNull();
            JsonNode reported = JSON.readTree(line);
            assertThat(reported.path("step").asText()).as(line).isEqualTo(step);
            return reported;
        }

        void goOn() throws IOException {
            in.write("\n");
            in.flush();
        }
    }

    private Client start(McpBackend place) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(token));
        arguments.addAll(Cli.in(worktree).words(place.arguments()));
        Process process = Node.program("client.mjs", arguments)
                .directory(worktree.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        started.add(process);
        return new Client(process, process.inputReader(), process.outputWriter());
    }

    private void awaitNone(String sleeps) {
        await("the command's processes have ended")
                .atMost(Cli.PATIENCE)
                .until(() -> Cli.processesWith(token + sleeps) == 0);
    }

    /**
     * Waits until the command runs. More than one process may match: bwrap and similar programs
     * have the words of their commands among their own arguments.
     */
    private void awaitRunning(String sleeps) {
        await("the command's process runs").atMost(Cli.PATIENCE).until(() -> Cli.processesWith(token + sleeps) > 0);
    }

    @ParameterizedTest
    @EnumSource(
            value = McpBackend.class,
            names = {"HOST", "DOCKER"})
    void editBashBackgroundAbortAndDispose(McpBackend place) throws Exception {
        place.require();
        Client client = start(place);
        JsonNode connected = client.expect("connected");
        assertThat(connected.path("server").asText()).isEqualTo("paddock");
        assertThat(connected.path("instructions").asText()).contains(place.commandPath(worktree));
        ProcessHandle server = ProcessHandle.of(connected.path("pid").asLong()).orElseThrow();

        checkAnnotations(client.expect("tools").path("tools"), place);

        assertThat(client.expect("edit").path("isError").asBoolean()).isFalse();
        assertThat(worktree.resolve("greeting.txt")).hasContent("hello world");

        JsonNode bash = client.expect("bash");
        assertThat(bash.path("text").asText()).startsWith("hello world\n").contains(place.commandPath(worktree));
        assertThat(bash.path("isError").asBoolean()).isFalse();
        assertThat(bash.path("streamed").path(0).path("message").asText()).isEqualTo("hello world\n");
        // The positive control for their absence at the end; the first command makes the container.
        assertThat(McpBackend.containers(worktree).isEmpty()).isEqualTo(place != McpBackend.DOCKER);

        JsonNode failed = client.expect("failed");
        assertThat(failed.path("isError").asBoolean()).isTrue();
        assertThat(failed.path("text").asText()).contains("3");
        JsonNode misused = client.expect("misused");
        assertThat(misused.path("isError").asBoolean()).isTrue();
        assertThat(misused.path("text").asText()).contains("command");
        assertThat(client.expect("missing").path("thrown").asText()).contains("nothing");

        JsonNode background = client.expect("background");
        assertThat(background.path("output").path("text").asText()).contains("started");
        awaitRunning("1");

        JsonNode waited = client.expect("waited");
        assertThat(waited.path("text").asText()).contains("bash_2: failed");
        assertThat(waited.path("progress").path(0).asText()).contains("bash_2: running for");
        assertThat(waited.path("ended").path("level").asText()).isEqualTo("info");
        assertThat(waited.path("ended").path("data").asText())
                .startsWith("bash_2 (until) has ended")
                .contains("code 3");

        assertThat(client.expect("running").path("beside").path("text").asText())
                .startsWith("beside\n");
        awaitRunning("2");
        client.goOn();
        assertThat(client.expect("aborted").path("thrown").asText()).contains("not wanted");
        awaitNone("2");
        assertThat(Cli.processesWith(token + "1"))
                .as("a background shell outlives the abort of a call")
                .isPositive();
        client.goOn();
        assertThat(client.expect("after").path("text").asText()).startsWith("still here\n");

        assertThat(client.expect("killed").path("isError").asBoolean()).isFalse();
        awaitNone("1");
        client.goOn();
        client.expect("left");
        awaitRunning("3");
        client.goOn();

        client.expect("closed");
        assertThat(Cli.awaitExit(client.process())).isZero();
        await("the server has exited").atMost(Cli.PATIENCE).until(() -> !server.isAlive());
        awaitNone("3");
        await("the server's container is removed")
                .atMost(Cli.PATIENCE)
                .until(() -> McpBackend.containers(worktree).isEmpty());
    }

    /** The annotations of a tool say where it has its effect. */
    private static void checkAnnotations(JsonNode tools, McpBackend place) {
        assertThat(tools.properties())
                .extracting(tool -> tool.getKey() + " " + hints(tool.getValue().path("annotations")))
                .containsExactlyInAnyOrder(
                        "bash destructive" + (place == McpBackend.HOST ? " open" : ""),
                        "bash_output read-only" + (place == McpBackend.HOST ? " open" : ""),
                        "write_stdin destructive" + (place == McpBackend.HOST ? " open" : ""),
                        "kill_shell destructive" + (place == McpBackend.HOST ? " open" : ""),
                        "read read-only",
                        "edit destructive",
                        "write destructive",
                        "ls read-only",
                        "grep read-only",
                        "find read-only");
        assertThat(tools.path("bash")
                        .path("inputSchema")
                        .path("required")
                        .path(0)
                        .asText())
                .isEqualTo("command");
    }

    private static String hints(JsonNode annotations) {
        return (annotations.path("readOnlyHint").asBoolean() ? "read-only" : "")
                + (annotations.path("destructiveHint").asBoolean() ? "destructive" : "")
                + (annotations.path("openWorldHint").asBoolean() ? " open" : "");
    }

    @Test
    void inspectorFindsNoFaultWithTools() throws Exception {
        Cli.Result result = inspect("--method", "tools/list", "--strict");
        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(JSON.readTree(result.stdout()).path("tools")).hasSize(TOOLS);
    }

    @Test
    void inspectorListsLogs() throws Exception {
        Cli.Result result = inspect("--method", "resources/list");
        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(JSON.readTree(result.stdout()).path("resources").isArray()).isTrue();
    }

    @Test
    void inspectorGetsTextAndFacts() throws Exception {
        Cli.Result result = inspect("--method", "tools/call", "--tool-name", "bash", "--tool-arg", "command=pwd");
        assertThat(result.exitCode()).as("%s", result).isZero();
        JsonNode answer = JSON.readTree(result.stdout());
        assertThat(answer.path("content").path(0).path("text").asText()).startsWith(worktree.toRealPath() + "\n");
        assertThat(answer.path("_meta")
                        .path("dev.paddock/result")
                        .path("exitCode")
                        .asInt(1))
                .isZero();
    }

    /** Uses the program in place of the launcher, and this test's directories. */
    @Test
    void pagesConfigurationServesTools() throws Exception {
        McpBackend.BWRAP.require(); // the sandbox in this test
        Matcher block = Pattern.compile("(?ms)^```json\\n(.*?)^```$")
                .matcher(Files.readString(Path.of("..", "docs", "agents.md")));
        assertThat(block.find()).isTrue();
        ObjectNode configuration = (ObjectNode) JSON.readTree(block.group(1));
        ObjectNode server = (ObjectNode) configuration.path("mcpServers").path("paddock");
        assertThat(server.path("command").asText()).endsWith("/paddock");
        List<String> words = new ArrayList<>(Cli.in(worktree).words());
        server.path("args")
                .forEach(argument -> words.add(argument.asText().replace("/path/to/project", worktree.toString())));
        server.put("command", words.getFirst()).set("args", JSON.valueToTree(words.subList(1, words.size())));
        Path file = Files.writeString(worktree.resolve("mcp.json"), configuration.toString());
        Node.require(FOR_INSPECTOR);
        Cli.Result result = finishInspector(
                List.of("--cli", "--config", file.toString(), "--server", "paddock", "--method", "tools/list"));
        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(JSON.readTree(result.stdout()).path("tools")).hasSize(TOOLS);
    }

    private Cli.Result inspect(String... arguments) throws Exception {
        Node.require(FOR_INSPECTOR);
        String script = Cli.in(worktree).shellWords(McpBackend.HOST.arguments());
        List<String> words = new ArrayList<>(List.of("--cli", "sh", "-c", script));
        words.addAll(Arrays.asList(arguments));
        return finishInspector(words);
    }

    private Cli.Result finishInspector(List<String> words) throws Exception {
        ProcessBuilder builder = Node.program(
                        "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js", words)
                .directory(worktree.toFile());
        // The client otherwise stores a list of servers in the home directory.
        builder.environment().put("HOME", home.toString());
        Process process = builder.start();
        started.add(process);
        return Cli.finish(process);
    }
}
