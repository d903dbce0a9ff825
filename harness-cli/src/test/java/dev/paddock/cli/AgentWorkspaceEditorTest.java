package dev.paddock.cli;

import static dev.paddock.cli.Turns.DONE;
import static dev.paddock.cli.Turns.bash;
import static org.assertj.core.api.Assertions.assertThat;

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

/** The line editor of {@code paddock agent --workspace}, and what a resumed session can undo. */
@Tag("full")
class AgentWorkspaceEditorTest extends AgentCommandCase {
    private static final int COLUMNS = 100;
    private static final int ROWS = 50;

    @TempDir
    private Path terminal;

    private String id = "";
    private Path files = Path.of("/");

    @BeforeEach
    void openWorkspace() throws Exception {
        Files.writeString(directory.resolve("notes"), "first\n");
        id = cli().run("workspace", "open", "--copy", ".").stdout().strip();
        files = state.toRealPath().resolve("paddock/workspaces").resolve(id).resolve("files");
        assertThat(files.resolve("notes")).hasContent("first");
    }

    private Tmux start(String name, String... options) throws IOException {
        return startAsking(
                name,
                Stream.concat(Stream.of("--ask", "never"), Stream.of(options)).toArray(String[]::new));
    }

    private Tmux startAsking(String name, String... options) throws IOException {
        String[] words = Stream.concat(Stream.of("agent"), Stream.of(options)).toArray(String[]::new);
        return Tmux.start(cli(), Files.createDirectory(terminal.resolve(name)), COLUMNS, ROWS, words);
    }

    private static void enter(Tmux tmux, String text) {
        tmux.type(text);
        tmux.press("Enter");
    }

    /** Waits for the end of the run, before which a command would wait in the queue. */
    private static void awaitDone(Tmux tmux) {
        tmux.awaitText("Done.\n>\n");
    }

    @Test
    void promptsAreTypedInEditorAndUndoneAfterSessionIsResumed() throws Exception {
        String change = "echo second >notes; touch made";
        try (Tmux tmux = start("1", "--workspace", id, "--checkpoint", "--script", script(bash(change), DONE))) {
            String header = tmux.awaitIdle();
            assertThat(header).contains("  workspace  " + id, "  commands   in the workspace's sandbox");
            enter(tmux, "/help");
            tmux.awaitText("/undo ");
            enter(tmux, "/undo");
            tmux.awaitText("nothing to undo");
            enter(tmux, "change @notes");
            awaitDone(tmux);
            assertThat(files.resolve("notes")).hasContent("second");
            enter(tmux, "/sandbox");
            tmux.awaitText("  network    ");
            tmux.press("C-d");
            assertThat(tmux.awaitExit(0)).contains("to go on: paddock agent --resume");
        }
        List<Path> sessions;
        try (Stream<Path> all = Files.list(state.resolve("paddock/sessions"))) {
            sessions = all.toList();
        }
        assertThat(sessions.getFirst().resolve("messages.jsonl"))
                .as("the file that the prompt names is included")
                .content()
                .contains("first");
        String session = String.valueOf(sessions.getFirst().getFileName());
        try (Tmux tmux = start("2", "--resume", session, "--script", script(bash("cat notes"), DONE))) {
            tmux.awaitIdle();
            enter(tmux, "/undo");
            tmux.awaitText("the files are as before 'change @notes'");
            assertThat(files.resolve("notes")).hasContent("first");
            assertThat(files.resolve("made")).doesNotExist();
            enter(tmux, "look");
            awaitDone(tmux);
            tmux.press("C-d");
            tmux.awaitExit(0);
        }
        assertThat(sessions.getFirst().resolve("messages.jsonl"))
                .content()
                .contains("The user has undone what was changed since the prompt 'change @notes'");
    }

    /** Path 27: the sandbox opens between a question and its answer, and takes few lines there. */
    @Test
    void eightProtectedPathsAreNamedBetweenQuestionAndItsAnswer() throws Exception {
        try (Tmux tmux = start("1", "--workspace", id, "--script", script(bash("true"), DONE))) {
            tmux.awaitIdle();
            enter(tmux, "look");
            awaitDone(tmux);
            String all = tmux.screen().replaceAll("\\s+", " ");
            assertThat(all).containsPattern(" protected [^:]*, and [0-9]+ more: /sandbox lists them");
            String names = all.replaceFirst(".* protected (.*), and [0-9]+ more: .*", "$1");
            assertThat(names.split(", ")).hasSize(8);
            tmux.press("C-d");
            tmux.awaitExit(0);
        }
    }

    @Test
    void headerNamesNetworkOfWorkspace() throws Exception {
        String open =
                cli().run("workspace", "open", "--network", "open").stdout().strip();
        try (Tmux tmux = start("1", "--workspace", open, "--script", script(DONE))) {
            tmux.awaitIdle();
            enter(tmux, "/sandbox");
            tmux.awaitText("  network    open");
            tmux.press("C-d");
            tmux.awaitExit(0);
        }
    }

    /** The answer counts for the session, whose sandbox an undo replaces. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void hostThatIsNotAllowedIsAskedForAlsoAfterUndo() throws Exception {
        String allowing = cli().run("workspace", "open", "--allow", "allowed.example")
                .stdout()
                .strip();
        String fetch = "curl -sS http://unnamed.example/ 2>/dev/null || echo denied >>seen";
        String other = "curl -sS http://other.example/ 2>/dev/null || echo denied >>seen";
        String turns = script(bash(fetch), DONE, bash(fetch + "; " + other), DONE);
        try (Tmux tmux = startAsking("1", "--workspace", allowing, "--checkpoint", "--script", turns)) {
            tmux.awaitIdle();
            enter(tmux, "go");
            tmux.awaitText("A command connects to unnamed.example:80, which is not allowed.\nallow? y once");
            enter(tmux, "never");
            awaitDone(tmux);
            enter(tmux, "/undo");
            tmux.awaitText("the files are as before 'go'");
            enter(tmux, "again");
            tmux.awaitText("A command connects to other.example:80, which is not allowed.\nallow? y once");
            enter(tmux, "n");
            awaitDone(tmux);
            tmux.press("C-d");
            tmux.awaitExit(0);
        }
        assertThat(state.resolve("paddock/workspaces").resolve(allowing).resolve("files/seen"))
                .hasContent("denied\ndenied");
    }

    @Test
    void differenceToLastCommitIsThatOfWorkspace() throws Exception {
        String commit = "git init -q . && git add . && git -c user.name=x -c user.email=x@example.org commit -qm 1"
                + " && echo second >notes";
        try (Tmux tmux = start("1", "--workspace", id, "--script", script(bash(commit), DONE))) {
            tmux.awaitIdle();
            enter(tmux, "go");
            awaitDone(tmux);
            enter(tmux, "/diff");
            tmux.awaitText("-first\n+second\n");
            tmux.press("C-d");
            tmux.awaitExit(0);
        }
    }
}
