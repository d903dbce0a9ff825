package dev.paddock.cli.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.paddock.cli.Cli;
import dev.paddock.cli.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code paddock setup} as a user calls it, with settings of the user's. */
@EnabledOnOs(OS.LINUX)
class SetupCommandTest {
    @TempDir
    private Path directory;

    private Path home;
    private Path project;
    private Path launcher;

    @BeforeEach
    void makeHome() throws Exception {
        home = Files.createDirectory(directory.toRealPath().resolve("home"));
        project = Files.createDirectory(directory.toRealPath().resolve("project"));
        launcher = Files.createFile(
                directory.toRealPath().resolve("paddock"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    }

    private Cli cli() {
        return Cli.in(project)
                .env("HOME", home.toString())
                .env("XDG_STATE_HOME", home.resolve("state").toString())
                .env("CODEX_HOME", "")
                .env("XDG_CONFIG_HOME", "")
                .env("CLAUDE_CONFIG_DIR", "")
                .calledBy(Optional.of(launcher));
    }

    private Cli.Result setup(String... arguments) throws Exception {
        return cli().run(words(arguments));
    }

    private static String[] words(String... arguments) {
        return Stream.concat(Stream.of("setup"), Stream.of(arguments)).toArray(String[]::new);
    }

    private String succeed(String... arguments) throws Exception {
        Cli.Result result = setup(arguments);
        assertThat(result.stderr()).isEmpty();
        assertThat(result.exitCode()).as(result.stdout()).isZero();
        return result.stdout();
    }

    private String refuse(String... arguments) throws Exception {
        Cli.Result result = setup(arguments);
        assertThat(result.exitCode()).as(result.stdout()).isEqualTo(1);
        assertThat(result.stderr()).hasLineCount(1).startsWith("paddock: ").doesNotContain("Exception");
        return result.stderr();
    }

    private Path write(String file, String text) throws IOException {
        Path path = home.resolve(file);
        Files.createDirectories(path.resolveSibling("x").getParent());
        return Files.writeString(path, text);
    }

    private static List<Path> files(Path below) throws IOException {
        try (Stream<Path> all = Files.walk(below)) {
            return all.filter(path -> !path.equals(below))
                    .map(below::relativize)
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "claude,--user",
        "claude,--project",
        "codex,--project",
        "cursor,--user",
        "vscode,--project",
        "zed,--user",
        "jetbrains,--user"
    })
    void setupIsIdempotentAndItsUndoLeavesNothing(String client, String scope) throws Exception {
        List<Path> before = files(directory.toRealPath());
        assertThat(succeed(client, scope, "--yes")).contains("+++ ", "set up " + client, launcher.toString());
        List<Path> after = files(directory.toRealPath());
        assertThat(after).hasSizeGreaterThan(before.size());

        assertThat(succeed(client, scope, "--yes"))
                .contains(client + " is already set up")
                .doesNotContain("+++ ");
        assertThat(succeed(client, scope, "--undo", "--yes")).contains("took back");
        assertThat(files(directory.toRealPath()))
                .filteredOn(path -> !path.startsWith("home/state"))
                .isEqualTo(before);
        assertThat(refuse(client, scope, "--undo", "--yes")).contains("nothing is left of it");
    }

    @Test
    void linesOfPageSetUp() throws Exception {
        List<String> lines = Pattern.compile("(?m)^paddock setup ([a-z]+.*?)(?: +#.*)?$")
                .matcher(Files.readString(Path.of("..", "docs", "agents.md")))
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(lines).contains("claude", "vscode --project", "jetbrains").hasSizeGreaterThan(5);
        for (String line : lines) {
            assertThat(succeed((line + " --yes").split(" ", -1))).contains("set up " + line.split(" ", -1)[0]);
        }
    }

    @Test
    void jetbrainsStartsAgentAndKeepsItsOtherSettings() throws Exception {
        Path file = write(".jetbrains/acp.json", "{\"agent_servers\": {\"other\": {\"command\": \"x\"}}, \"mine\": 1}");
        succeed("jetbrains", "--yes");
        assertThat(new ObjectMapper().readTree(file.toFile()))
                .isEqualTo(new ObjectMapper()
                        .readTree("{\"agent_servers\": {\"other\": {\"command\": \"x\"}, \"paddock\": {\"command\": \""
                                + launcher + "\", \"args\": [\"acp\"]}}, \"mine\": 1}"));
        assertThat(refuse("jetbrains", "--project", "--yes")).contains("leave --project out");
    }

    @Test
    void editorStartsAgentAndKeepsItsOtherSettings() throws Exception {
        String before = "{\n  // mine\n  \"agent_servers\": {\"other\": {\"command\": \"x\"}},\n}\n";
        Path file = write(".config/zed/settings.json", before);
        succeed("zed", "--yes");
        assertThat(file).content().contains("// mine", "\"other\"");
        JsonNode agent = new ObjectMapper()
                .readTree(Files.readString(file).replaceAll("//.*|,(?=\\s*[}\\]])", ""))
                .at("/agent_servers/paddock");
        assertThat(agent.path("command").asText()).isEqualTo(launcher.toString());
        assertThat(agent.path("args").path(0).asText()).isEqualTo("acp");
        assertThat(agent.path("type").asText()).isEqualTo("custom");
        assertThat(refuse("zed", "--project", "--yes")).contains("leave --project out");
        succeed("zed", "--undo", "--yes");
        assertThat(file).hasContent(before);
    }

    @Test
    void undoRestoresEveryByte() throws Exception {
        String settings = "\uFEFF{\r\n    \"permissions\": {\"deny\": [\"Bash\"]}, \r\n    \"x\": 1}";
        Path file = write(".claude/settings.json", settings);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        write(".claude.json", "{\"mcpServers\": {\"paddock\": {\"command\": \"other\"}}, \"state\": true}");

        String shown = succeed("claude", "--yes");
        assertThat(shown).contains("'mcpServers.paddock' exists already and is another entry; it is replaced");
        assertThat(Files.readString(file))
                .startsWith("\uFEFF{\r\n    \"permissions\": {\"deny\": [\"Bash\", \"Edit\",")
                .endsWith("]}, \r\n    \"x\": 1}");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r-----");

        succeed("claude", "--undo", "--yes");
        assertThat(Files.readString(file)).isEqualTo(settings);
        assertThat(home.resolve(".claude.json"))
                .hasContent("{\"mcpServers\": {\"paddock\": {\"command\": \"other\"}}, \"state\": true}");
    }

    @Test
    void undoKeepsWhatUserHasChangedSince() throws Exception {
        Path file = write(".codex/config.toml", "model = \"x\"\n\n[features]\nshell_tool = true # mine\n");
        succeed("codex", "--yes");
        Files.writeString(file, Files.readString(file).replace("\"x\"", "\"y\"") + "\n[mcp_servers.fs]\nurl = \"z\"\n");
        succeed("codex", "--undo", "--yes");
        assertThat(file)
                .hasContent("model = \"y\"\n\n[features]\nshell_tool = true # mine\n\n[mcp_servers.fs]\nurl = \"z\"\n");
    }

    @Test
    void undoKeepsWhatUserHasAddedToList() throws Exception {
        succeed("claude", "--yes");
        Path file = home.resolve(".claude/settings.json");
        Files.writeString(file, Files.readString(file).replace("\"Bash\"", "\"WebFetch\", \"Bash\""));
        succeed("claude", "--undo", "--yes");
        assertThat(new ObjectMapper().readTree(file.toFile()))
                .hasToString("{\"permissions\":{\"deny\":[\"WebFetch\"]}}");
        assertThat(home.resolve(".claude.json")).doesNotExist();
    }

    @Test
    void undoRefusesEntryThatUserHasChanged() throws Exception {
        succeed("cursor", "--yes");
        Path file = home.resolve(".cursor/mcp.json");
        String changed = Files.readString(file).replace("\"mcp\",", "\"mcp\", \"--network\", \"open\",");
        Files.writeString(file, changed);
        assertThat(refuse("cursor", "--undo", "--yes"))
                .contains(file + ": 'mcpServers.paddock' has been changed since setup, and stays");
        assertThat(file).hasContent(changed);
    }

    @Test
    void undoAfterTwoSetupsRestoresWhatWasThereBeforeFirst() throws Exception {
        String before = "[mcp_servers.paddock]\nurl = \"http://other\" # theirs\n";
        Path file = write(".codex/config.toml", before);
        succeed("codex", "--yes");
        Path moved = Files.move(launcher, launcher.resolveSibling("paddock-2"));
        launcher = moved;
        assertThat(succeed("codex", "--yes")).contains("+command = \"" + moved);
        succeed("codex", "--undo", "--yes");
        assertThat(file).hasContent(before);
    }

    @Test
    void entryThatUserHasExtendedCounts() throws Exception {
        succeed("codex", "--yes");
        Path file = home.resolve(".codex/config.toml");
        String extended = Files.readString(file).replace("[\"mcp\"]", "[\"mcp\", \"--network\", \"open\"]");
        Files.writeString(file, extended);
        assertThat(succeed("codex", "--yes")).contains("already set up");
        assertThat(file).hasContent(extended);
    }

    @Test
    void dryRunAndScriptWithoutConsentWriteNothing() throws Exception {
        List<Path> before = files(directory.toRealPath());
        assertThat(succeed("claude", "--dry-run")).contains("+++ " + home.resolve(".claude.json"));
        assertThat(refuse("claude")).contains("give --yes");
        assertThat(files(directory.toRealPath())).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({"y,true", "yes,true", "n,false", "'',false"})
    void terminalIsAsked(String answer, boolean isAgreed) throws Exception {
        try (Terminal terminal =
                Terminal.start(cli(), directory.resolve("about"), 100, "", "setup", "cursor", "--user")) {
            await("the question")
                    .atMost(Cli.PATIENCE)
                    .until(() -> terminal.shown().contains("[y/N]"));
            terminal.type(answer + "\n");
            assertThat(terminal.exitCode()).as(terminal.shown()).isEqualTo(isAgreed ? 0 : 1);
        }
        assertThat(Files.exists(home.resolve(".cursor/mcp.json"))).isEqualTo(isAgreed);
    }

    @Test
    void fileThatEditorSavesMeanwhileIsNotOverwritten() throws Exception {
        Path file = write(".cursor/mcp.json", "{}\n");
        try (Terminal terminal = Terminal.start(cli(), directory.resolve("about"), 100, "", "setup", "cursor")) {
            await("the question")
                    .atMost(Cli.PATIENCE)
                    .until(() -> terminal.shown().contains("[y/N]"));
            Files.writeString(file, "{\"saved\": 1}\n");
            terminal.type("y\n");
            assertThat(terminal.exitCode()).isEqualTo(1);
            assertThat(terminal.shown()).contains("has been changed by another program");
        }
        assertThat(file).hasContent("{\"saved\": 1}\n");
        assertThat(refuse("cursor", "--undo", "--yes")).contains("nothing is left of it");
        assertThat(files(home.resolve(".cursor"))).containsExactly(Path.of("mcp.json"));
    }

    @Test
    void linkOfUsersStaysAndItsTargetIsReplaced() throws Exception {
        Path target = write("dotfiles/codex.toml", "a = 1\n");
        Files.createDirectory(home.resolve(".codex"));
        Path link = Files.createSymbolicLink(home.resolve(".codex/config.toml"), Path.of("../dotfiles/codex.toml"));
        succeed("codex", "--yes");
        assertThat(link).isSymbolicLink();
        assertThat(Files.readString(target)).contains("[mcp_servers.paddock]");
        succeed("codex", "--undo", "--yes");
        assertThat(target).hasContent("a = 1\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {".cursor", ".cursor/mcp.json"})
    void linkThatLeadsOutOfProjectIsRefused(String name) throws Exception {
        Path outside = write("outside/mcp.json", "{}\n");
        Path link = project.resolve(name);
        Files.createDirectories(link.resolveSibling("x").getParent());
        Files.createSymbolicLink(link, name.endsWith("json") ? outside : outside.getParent());
        assertThat(refuse("cursor", "--project", "--yes")).contains("which is not in '" + project);
        assertThat(outside).hasContent("{}\n");
    }

    @Test
    void filesThatCannotBeChangedAreRefused() throws Exception {
        Path file = write(".cursor/mcp.json", "{\"mcpServers\": [\n");
        assertThat(refuse("cursor", "--yes")).contains(file + ":2: not the JSON that the client reads");
        Files.writeString(file, "{\"mcpServers\": []}");
        assertThat(refuse("cursor", "--yes")).contains("'mcpServers' is neither absent nor an object");
        Files.write(file, new byte[] {'{', (byte) 0xff, '}'});
        assertThat(refuse("cursor", "--yes")).contains("is not UTF-8");
        Files.writeString(file, "{}");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
        assertThat(refuse("cursor", "--yes")).contains("is read-only; make it writable");
        Files.delete(file);
        Files.createDirectory(file);
        assertThat(refuse("cursor", "--yes")).contains("is a directory");
        Files.delete(file);
        Files.createSymbolicLink(file, Path.of("nowhere"));
        assertThat(refuse("cursor", "--yes")).contains("link to a file that does not exist");
        Files.delete(file);
        Files.createFile(file);
        succeed("cursor", "--yes");
    }

    @Test
    void missingLauncherAndHomeAreNamed() throws Exception {
        assertThat(refuse("vscode", "--user")).contains("paddock setup vscode --project");
        Files.delete(launcher);
        assertThat(refuse("claude")).contains("is no executable file");
        Files.createFile(launcher, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        Path there = home;
        home = directory.resolve("nowhere");
        assertThat(refuse("claude")).contains("HOME is '" + home + "', which is not a directory");
        home = there;
        project = there;
        assertThat(refuse("claude", "--project")).contains("is your home directory and no project");
    }

    @Test
    void unknownClientIsCorrected() throws Exception {
        Cli.Result result = setup("codexx");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.stderr())
                .contains("of 'codexx', only of claude, codex, cursor, vscode, zed, jetbrains; did you mean codex?");
        assertThat(setup("codex", "--user", "--project").stderr()).contains("exclude each other");
    }
}
