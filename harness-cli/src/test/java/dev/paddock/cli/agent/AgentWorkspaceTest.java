package dev.paddock.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.paddock.cli.Cli;
import dev.paddock.cli.Terminal;
import dev.paddock.cli.Turns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code paddock agent} in a workspace, as a process. */
@Tag("full")
@EnabledOnOs(OS.LINUX)
class AgentWorkspaceTest {
    private static final int COLUMNS = 100;

    @TempDir
    private Path directory;

    @TempDir
    private Path state;

    private String id = "";
    private Path files = Path.of("/");

    @BeforeEach
    void openWorkspace() throws Exception {
        Files.writeString(directory.resolve("notes"), "first");
        id = cli().run("workspace", "open", "--copy", ".").stdout().strip();
        files = state.toRealPath().resolve("paddock/workspaces").resolve(id).resolve("files");
        assertThat(files.resolve("notes")).hasContent("first");
    }

    private Cli cli() {
        return Cli.in(directory).env("XDG_STATE_HOME", state.toString());
    }

    private static String[] agent(String... options) {
        return Stream.concat(Stream.of("agent"), Stream.of(options)).toArray(String[]::new);
    }

    private String script(String... turns) throws IOException {
        return Turns.script(state, turns);
    }

    /**
     * Without the line editor, which has tests of its own. A command of the model has no "> ", by which
     * the prompts are counted.
     */
    private Terminal terminal(String... options) throws IOException {
        String[] plain = Stream.concat(Stream.of("--plain"), Stream.of(options)).toArray(String[]::new);
        return Terminal.start(cli(), state.resolve("about"), COLUMNS, "", agent(plain));
    }

    @Test
    void modelWorksInWorkspaceAndItsSessionFindsItAgain() throws Exception {
        Cli.Result first = cli().run(agent(
                "--json",
                "--workspace",
                id.substring(0, 10),
                "-p",
                "Go",
                "--script",
                script(Turns.bash("echo second > notes; pwd"), Turns.DONE)));
        assertThat(first.exitCode()).as("%s", first).isZero();
        assertThat(files.resolve("notes")).hasContent("second");
        assertThat(directory.resolve("notes")).hasContent("first");
        List<JsonNode> events = Turns.events(first.stdout());
        assertThat(Turns.event(events, "session_started").has("worktree")).isFalse();
        assertThat(Turns.event(events, "workspace_opened").path("worktree").asText())
                .isEqualTo(files.toString());
        assertThat(Turns.event(events, "tool_ended").path("text").asText()).contains(files.toString());

        String session = Turns.event(events, "session_started").path("session").asText();
        Cli.Result second = cli().run(agent(
                "--resume", session, "-p", "Go on", "--script", script(Turns.bash("cat notes"), Turns.DONE)));
        assertThat(second.exitCode()).as("%s", second).isZero();
        assertThat(second.stdout()).contains("second");

        cli().run("workspace", "close", id);
        Cli.Result gone = cli().run(agent(
                "--resume", session, "-p", "Go on", "--script", script(Turns.bash("cat notes"), Turns.DONE)));
        assertThat(gone.exitCode()).as("%s", gone).isEqualTo(125);
        assertThat(gone.stderr()).contains("the workspace no longer exists").doesNotContain("\tat ");
    }

    @Test
    void undoPutsFilesBackToWhereTheyWereBeforeEachPrompt() throws Exception {
        String script = script(
                Turns.bash("echo second >notes; mkdir made; touch made/file"),
                Turns.DONE,
                Turns.bash("echo third >notes; rm -r made"),
                Turns.DONE,
                Turns.bash("cat notes"),
                Turns.DONE);
        try (Terminal terminal = terminal("--workspace", id, "--checkpoint", "--script", script)) {
            terminal.awaitPrompt(1);
            terminal.type("one\n");
            terminal.awaitPrompt(2);
            assertThat(files.resolve("made/file")).exists();
            terminal.type("two\n");
            terminal.awaitPrompt(3);
            assertThat(files.resolve("notes")).hasContent("third");
            terminal.type("/undo\n");
            terminal.awaitPrompt(4);
            assertThat(files.resolve("notes")).as(terminal.shown()).hasContent("second");
            assertThat(files.resolve("made/file")).exists();
            terminal.type("/undo\n");
            terminal.awaitPrompt(5);
            assertThat(files.resolve("notes")).hasContent("first");
            assertThat(files.resolve("made")).doesNotExist();
            terminal.type("/undo\n");
            terminal.awaitPrompt(6);
            assertThat(terminal.shown()).contains("nothing to undo");
            terminal.type("three\n");
            terminal.awaitPrompt(7);
            terminal.type(Terminal.CTRL_D);
            assertThat(terminal.exitCode()).as(terminal.shown()).isZero();
            assertThat(terminal.shown()).contains("the files are as before 'two'", "the files are as before 'one'");
        }
        String snapshots = cli().run("workspace", "snapshots", id).stdout();
        assertThat(snapshots).contains("before the prompt: one", "before the prompt: two", "before the prompt: three");
    }

    /** A background shell would write into the snapshot: the prompt is sent without, and this is reported. */
    @Test
    void promptWithoutCheckpointIsToldAndUndoGoesToOneBefore() throws Exception {
        String background = "{\"calls\": [{\"tool\": \"bash\", \"arguments\": {\"command\": \"echo x >made;"
                + " exec sleep 600\", \"run_in_background\": true}}]}";
        String script = script(background, Turns.DONE, Turns.DONE);
        try (Terminal terminal = terminal("--workspace", id, "--checkpoint", "--script", script)) {
            terminal.awaitPrompt(1);
            terminal.type("one\n");
            terminal.awaitPrompt(2);
            terminal.type("two\n");
            terminal.awaitPrompt(3);
            assertThat(terminal.shown())
                    .contains("no checkpoint before this prompt: commands run in the workspace", "before 'one'");
            terminal.type("/undo\n");
            terminal.awaitPrompt(4);
            assertThat(files.resolve("made")).as(terminal.shown()).doesNotExist();
            terminal.type(Terminal.CTRL_D);
            assertThat(terminal.exitCode()).as(terminal.shown()).isZero();
        }
    }

    @Test
    void workspaceExcludesOptionsOfSandbox() throws Exception {
        Cli.Result both =
                cli().run(agent("--workspace", id, "--network", "open", "-p", "Go", "--script", script(Turns.DONE)));
        assertThat(both.exitCode()).isEqualTo(2);
        assertThat(both.stderr()).contains("--network cannot be given with a workspace");
        Cli.Result alone = cli().run(agent("--checkpoint", "-p", "Go", "--script", script(Turns.DONE)));
        assertThat(alone.exitCode()).isEqualTo(2);
        assertThat(alone.stderr()).contains("name one with --workspace");
        Cli.Result unknown =
                cli().run(agent("--workspace", id.substring(1), "-p", "Go", "--script", script(Turns.DONE)));
        assertThat(unknown.exitCode()).isEqualTo(2);
        assertThat(unknown.stderr()).contains("did you mean " + id + "?");
    }
}
