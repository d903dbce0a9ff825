package dev.paddock.cli;

import static dev.paddock.cli.Turns.DONE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paddock.harness.model.AssistantTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the models and MCP servers that {@code paddock.yaml} names for {@code paddock agent}. */
@Tag("full")
class AgentConfigTest extends AgentCommandCase {
    private static final int MISUSED = 2;
    private static final String MODELS = """
            models:
              default: { provider: anthropic, model: usual-model }
              small: { provider: anthropic, model: small-model, max-tokens: 77 }
            """;

    @TempDir
    private Path configuration;

    @Override
    Cli cli() {
        return super.cli().env("XDG_CONFIG_HOME", configuration.toString());
    }

    private void configure(String yaml) throws IOException {
        Files.createDirectories(configuration.resolve("paddock"));
        Files.writeString(configuration.resolve("paddock/paddock.yaml"), yaml);
    }

    @Test
    void modelIsAskedByItsNameOfUsers() throws Exception {
        configure(MODELS);
        try (ModelServer server = ModelServer.of((request, listener) -> AssistantTurn.saying("Done."))) {
            for (List<String> options : List.of(
                    List.<String>of(),
                    List.of("--model", "small"),
                    List.of("--model", "small", "--max-tokens", "88"))) {
                String[] words = Stream.of(List.of(agent("-p", "Go")), options)
                        .flatMap(List::stream)
                        .toArray(String[]::new);
                Cli.Result result = server.knownTo(cli()).run(words);
                assertThat(result.exitCode()).as("%s", result).isZero();
            }
            assertThat(server.requests())
                    .extracting((JsonNode request) -> request.path("model").asText())
                    .containsExactly("usual-model", "small-model", "small-model");
            assertThat(server.requests())
                    .extracting((JsonNode request) -> request.path("max_tokens").asInt())
                    .endsWith(77, 88);
        }
    }

    @Test
    void unknownNameIsRefusedWithNearest() throws Exception {
        configure(MODELS);
        Cli.Result near = cli().run(agent("--model", "smal", "-p", "Go"));
        assertThat(near.exitCode()).isEqualTo(MISUSED);
        assertThat(near.stderr()).hasLineCount(1).contains("--model smal lacks --provider", "did you mean small?");
        Cli.Result far = cli().run(agent("--model", "zzzzzzzz", "-p", "Go"));
        assertThat(far.stderr()).contains("your configuration has default, small");
    }

    /** The key would go to the address that a file of the worktree names. */
    @Test
    void fileOfWorktreeNamesNoModelAndNoServer() throws Exception {
        Path file = directory.toRealPath().resolve("paddock.yaml");
        for (String yaml : List.of(
                "models: { default: { provider: anthropic, model: m, base-url: 'http://localhost:1' } }",
                "mcp: { files: { command: touch owned, run: host } }")) {
            Files.writeString(file, yaml);
            try (ModelServer server = ModelServer.of((request, listener) -> AssistantTurn.saying("Done."))) {
                Cli.Result result = server.knownTo(cli()).run(agent("-p", "Go"));
                assertThat(result.exitCode()).isEqualTo(MISUSED);
                assertThat(result.stderr()).contains(file + ":1:", "is not granted", "can only narrow");
                assertThat(server.requests()).isEmpty();
            }
        }
        assertThat(directory.resolve("owned")).doesNotExist();
    }

    private static String quoted(String text) throws IOException {
        return new ObjectMapper().writeValueAsString(text);
    }

    /** The server is Paddock's own. */
    @Test
    void toolsOfConfiguredServerAreModels() throws Exception {
        Path served = Files.createDirectory(state.resolve("served"));
        Files.writeString(served.resolve("known.txt"), "served content\n");
        String command = Cli.in(directory)
                .shellWords("mcp", "--executor", "host", "--no-audit", "--worktree", served.toString());
        configure("mcp:\n  files: { command: " + quoted(command) + ", run: host, env: { XDG_STATE_HOME: "
                + quoted(state.toString()) + " }, pass: [NEEDED] }\n");
        String call = "{\"calls\": [{\"tool\": \"mcp__files__read\", \"arguments\": {\"path\": \"known.txt\"}}]}";
        String[] words = agent("--json", "--script", script(call, DONE), "-p", "Go");
        Cli.Result without = cli().withoutEnv("NEEDED").run(words);
        assertThat(without.exitCode()).isEqualTo(MISUSED);
        assertThat(without.stderr()).contains("the MCP server 'files' needs the variable NEEDED, which is not set");
        Cli.Result result = cli().env("NEEDED", "x").run(words);
        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(Turns.event(Turns.events(result.stdout()), "tool_ended")
                        .path("text")
                        .asText())
                .contains("served content");
    }

    @Test
    void serverThatDoesNotStartIsLeftOutWithMessage() throws Exception {
        configure("mcp: { broken: { command: 'exit 3', run: host } }\n");
        Cli.Result result = cli().run(agent("--script", script(DONE), "-p", "Go"));
        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(result.stdout()).contains("left out: ", "the MCP server broken", "Done.");
    }

    /** Nobody could be asked: with a prompt on the command line there is no line editor. */
    @Test
    void serverOutsideSandboxIsStartedWithoutEditorOnlyWhenItIsNamed() throws Exception {
        McpBackend.BWRAP.require();
        Path started = state.resolve("started");
        configure("mcp:\n  outer: { command: 'touch " + started + "; exit 3', run: host }\n"
                + "  inner: { command: 'touch inner; exit 3' }\n");
        String[] words = {"agent", "--executor", "bwrap", "--script", script(DONE), "-p", "Go"};
        Cli.Result unnamed = cli().run(words);
        assertThat(unnamed.exitCode()).as("%s", unnamed).isZero();
        assertThat(unnamed.stderr())
                .contains("the MCP server 'outer' is left out", "run: host", "--host-server outer")
                .doesNotContain("'inner'");
        assertThat(started).doesNotExist();
        assertThat(directory.resolve("inner")).as("the server in the sandbox").exists();

        Cli.Result named = cli().run(Stream.concat(Stream.of(words), Stream.of("--host-server", "outer"))
                .toArray(String[]::new));
        assertThat(named.exitCode()).as("%s", named).isZero();
        assertThat(named.stderr()).doesNotContain("run: host");
        assertThat(started).as("the named server has run").exists();

        Cli.Result unknown = cli().run(Stream.concat(Stream.of(words), Stream.of("--host-server", "inner"))
                .toArray(String[]::new));
        assertThat(unknown.exitCode()).isEqualTo(MISUSED);
        assertThat(unknown.stderr()).hasLineCount(1).contains("--host-server inner", "with run: host", "outer");
    }

    /** Where nothing else is said, a server runs where commands run. */
    @Test
    void serverRunsInSandboxByDefault() throws Exception {
        McpBackend.BWRAP.require();
        configure("mcp: { probe: { command: 'touch here; touch " + state + "/escaped; exit 3' } }\n");
        Cli.Result result = cli().run("agent", "--executor", "bwrap", "--script", script(DONE), "-p", "Go");
        assertThat(result.exitCode()).as("%s", result).isZero();
        assertThat(directory.resolve("here")).as("it ran").exists();
        assertThat(state.resolve("escaped")).doesNotExist();
    }
}
