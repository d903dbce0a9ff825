package dev.paddock.cli.setup;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.paddock.cli.Cli;
import dev.paddock.cli.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The real codex with the settings that {@code paddock setup codex} has written. */
@EnabledOnOs(OS.LINUX)
class CodexTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int NODE = 18;

    /** Tools that codex has beside those that setup switches off; none runs commands or reads files. */
    private static final List<String> HARMLESS = List.of(
            "list_mcp_resources",
            "list_mcp_resource_templates",
            "read_mcp_resource",
            "request_user_input",
            "multi_agent_v1",
            "get_goal",
            "create_goal",
            "update_goal",
            "web_search");

    /** A PNG image of one pixel. */
    private static final String DOT =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ" + "AAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

    @TempDir
    private Path directory;

    private Path home;
    private Path project;
    private Path launcher;

    @BeforeEach
    void makeLauncher() throws Exception {
        Node.require(NODE);
        home = Files.createDirectory(directory.toRealPath().resolve("home"));
        project = Files.createDirectory(directory.toRealPath().resolve("project"));
        launcher = directory.toRealPath().resolve("paddock");
        // codex passes few variables to a server, and kills it: its state would be its user's, and stay.
        String state = "XDG_STATE_HOME='" + directory.toRealPath().resolve("state") + "'";
        Files.writeString(
                launcher,
                "#!/bin/sh\nexport " + state + "\nexec " + Cli.in(project).shellWords() + " \"$@\"\n");
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void setUp() throws Exception {
        Cli.Result result = Cli.in(project)
                .env("HOME", home.toString())
                .env("XDG_STATE_HOME", "")
                .env("CODEX_HOME", "")
                .calledBy(Optional.of(launcher))
                .run("setup", "codex", "--yes");
        assertThat(result.exitCode()).as(result.stderr()).isZero();
    }

    private Cli.Result codex(String... arguments) throws IOException, InterruptedException {
        ProcessBuilder builder = Node.program("node_modules/@openai/codex/bin/codex.js", List.of(arguments))
                .directory(project.toFile());
        builder.environment().put("HOME", home.toString());
        builder.environment().remove("CODEX_HOME");
        return Cli.finish(builder.start());
    }

    private void configure(String settings) throws IOException {
        Files.createDirectory(home.resolve(".codex"));
        Files.writeString(home.resolve(".codex/config.toml"), settings);
    }

    @Test
    void codexReadsEachSetting() throws Exception {
        configure("# mine\n[features]\nshell_tool = true # on\n");
        setUp();

        Cli.Result servers = codex("mcp", "get", "paddock", "--json");
        JsonNode server = JSON.readTree(servers.stdout());
        assertThat(server.at("/transport/command").asText())
                .as(servers.stderr())
                .isEqualTo(launcher.toString());
        assertThat(server.at("/transport/args")).hasToString("[\"mcp\"]");
        // unified_exec is for earlier versions: this one lists it as on and drops its tools with shell_tool.
        assertThat(codex("features", "list").stdout().lines())
                .filteredOn(line -> line.matches("(shell_tool|view_image) .*"))
                .hasSize(2)
                .allMatch(line -> line.endsWith(" false"));
    }

    /** Strict, codex refuses settings that it does not know, which it would otherwise pass over. */
    @Test
    void codexKnowsEachSetting() throws Exception {
        configure("");
        setUp();
        assertThat(codex("--strict-config", "exec", "--help").exitCode()).isZero();
        Path settings = home.resolve(".codex/config.toml");
        try (ResponsesServer model = ResponsesServer.of(List.of())) {
            List<String> words = new ArrayList<>(List.of("--strict-config"));
            words.addAll(model.arguments());
            assertThat(codex(words.toArray(String[]::new)).exitCode()).isZero();
            Files.writeString(settings, Files.readString(settings).replace("default_tools", "defaults_tools"));
            Cli.Result wrong = codex(words.toArray(String[]::new));
            assertThat(wrong.stderr()).contains("defaults_tools");
            assertThat(wrong.exitCode()).isNotZero();
        }
    }

    /** A model that wants a file made, first by codex's own shell, then by Paddock's. */
    @Test
    @Tag("full")
    void taskOfCodexRunsInSandboxOfPaddock() throws Exception {
        String command = "touch made; cat /proc/self/status | grep NoNewPrivs; touch " + directory + "/escaped";
        ObjectNode shell = call("shell", JsonNodeFactory.instance.objectNode().put("command", command));
        shell.remove("namespace");
        ObjectNode bash = call("bash", JsonNodeFactory.instance.objectNode().put("command", command));
        configure("");
        try (ResponsesServer model = ResponsesServer.of(List.of(shell))) {
            // Without setup codex has a tool that runs commands.
            assertThat(codex(model.arguments().toArray(String[]::new)).exitCode())
                    .isZero();
            assertThat(model.tools()).contains("exec_command", "view_image").doesNotContain("mcp__paddock");
        }
        setUp();
        try (ResponsesServer model = ResponsesServer.of(List.of(shell, bash))) {
            Cli.Result run = codex(model.arguments().toArray(String[]::new));
            assertThat(run.exitCode()).as(run.stderr()).isZero();

            assertThat(model.tools())
                    .filteredOn(tool -> !HARMLESS.contains(tool))
                    .containsExactly("mcp__paddock");
            List<JsonNode> events = run.stdout()
                    .lines()
                    .filter(line -> line.contains("item.completed"))
                    .map(CodexTest::json)
                    .toList();
            assertThat(events)
                    .filteredOn(event -> event.at("/item/type").asText().equals("mcp_tool_call"))
                    .singleElement()
                    .satisfies(event -> assertThat(event.toString())
                            .contains("\"server\":\"paddock\",\"tool\":\"bash\"", "NoNewPrivs:\\t1"));
            assertThat(events)
                    .noneMatch(event -> event.at("/item/type").asText().equals("command_execution"));
            assertThat(model.outputs().getFirst()).contains("unsupported call: shell");
            assertThat(model.outputs().getLast()).contains("NoNewPrivs");
        }
        assertThat(project.resolve("made")).exists();
        assertThat(directory.resolve("escaped")).doesNotExist();
    }

    /** Setup has switched off codex's own tool for images. */
    @Test
    @Tag("full")
    void modelOfCodexSeesImageThatPaddockReads() throws Exception {
        Files.write(project.resolve("dot.png"), Base64.getDecoder().decode(DOT));
        configure("");
        setUp();
        ObjectNode read = call("read", JsonNodeFactory.instance.objectNode().put("path", "dot.png"));
        try (ResponsesServer model = ResponsesServer.of(List.of(read))) {
            Cli.Result run = codex(model.arguments().toArray(String[]::new));
            assertThat(run.exitCode()).as(run.stderr()).isZero();
            assertThat(model.outputs())
                    .singleElement()
                    .asString()
                    .contains("1 × 1 pixels", "input_image", "data:image/png;base64,");
        }
    }

    private static ObjectNode call(String tool, ObjectNode arguments) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("type", "function_call")
                .put("namespace", "mcp__paddock")
                .put("name", tool)
                .put("arguments", arguments.toString());
    }

    private static JsonNode json(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException malformed) {
            throw new AssertionError(line, malformed);
        }
    }
}
