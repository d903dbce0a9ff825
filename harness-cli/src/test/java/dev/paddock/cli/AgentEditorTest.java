package dev.paddock.cli;

import static dev.paddock.cli.Turns.DONE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.paddock.harness.model.ScriptedModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code paddock agent} at a terminal of tmux: the line editor, its commands, and its questions. */
@Tag("full")
class AgentEditorTest extends AgentCommandCase {
    private static final int COLUMNS = 80;
    private static final int ROWS = 40;

    @TempDir
    private Path terminal;

    private Tmux start(int columns, String... options) throws IOException {
        return Tmux.start(cli(), terminal, columns, ROWS, agent(options));
    }

    /** Starts a session whose model waits in the command of its first turn until a file exists. */
    private Tmux startWaiting(String... turns) throws IOException {
        String wait = Turns.bash("echo waits; until [ -e go ]; do sleep 0.05; done; echo went");
        String[] all = Stream.concat(Stream.of(wait), Arrays.stream(turns)).toArray(String[]::new);
        return start(COLUMNS, "--ask", "never", "--script", script(all));
    }

    private static void enter(Tmux tmux, String text) {
        tmux.type(text);
        tmux.press("Enter");
    }

    private void end(Tmux tmux) throws IOException {
        tmux.awaitIdle();
        tmux.press("C-d");
        tmux.awaitExit(0);
    }

    @Test
    void sessionIsShownFromItsHeaderToItsSummary() throws Exception {
        Files.writeString(directory.resolve("notes.txt"), "one\ntwo\n");
        String edit = """
                {"text": "## Plan\\nI change **one** word of `notes.txt`:\\n\\n- first\\n", "calls": [
                  {"tool": "edit", "arguments": {"path": "notes.txt", "old_string": "two", "new_string": "three"}}]}""";
        try (Tmux tmux = start(60, "--ask", "never", "--script", script(edit, Turns.bash("cat notes.txt"), DONE))) {
            String header = tmux.awaitIdle();
            assertThat(header).contains("paddock ", "  model      script ", "  commands   host, without a sandbox");
            enter(tmux, "Change it");
            tmux.awaitText("Done.");
            tmux.awaitIdle();
            assertThat(tmux.screen())
                    .contains("> Change it\n", "Plan\nI change one word of ", "• first\n")
                    .contains("  edit  notes.txt  done ", "    -two\n    +three\n", "  bash  cat notes.txt  done ")
                    .contains("Done.\n")
                    .doesNotContain("##", "**");
            tmux.press("C-d");
            assertThat(tmux.awaitExit(0)).contains("; 1 command; edited notes.txt", "--resume");
        }
    }

    @Test
    void whatIsTypedDuringRunStaysWholeAndWaitsForItsTurn() throws Exception {
        try (Tmux tmux = startWaiting("{\"text\": \"First answer.\"}", "{\"text\": \"Second answer.\"}")) {
            tmux.awaitIdle();
            enter(tmux, "first");
            tmux.awaitText("(Esc stops)");
            enter(tmux, "second");
            tmux.awaitText("> second  (queued)");
            tmux.type("half a li");
            tmux.awaitText("\n> half a li");
            Files.createFile(directory.resolve("go"));
            String screen = tmux.awaitText("Second answer.");
            assertThat(screen).containsSubsequence("went", "First answer.", "Second answer.", "\n> half a li");
            tmux.type("ne");
            tmux.awaitText("\n> half a line");
            tmux.press("C-c");
            end(tmux);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Escape", "C-c"})
    void keyAbortsRunAndDropsWhatWaits(String key) throws Exception {
        try (Tmux tmux = startWaiting("{\"text\": \"never\"}")) {
            tmux.awaitIdle();
            enter(tmux, "first");
            tmux.awaitText("(Esc stops)");
            enter(tmux, "second");
            tmux.awaitText("(queued)");
            tmux.press(key);
            tmux.awaitText("queued prompts dropped: 1");
            tmux.awaitIdle();
            assertThat(tmux.screen()).contains("failed").doesNotContain("(Esc stops)", "never");
            tmux.press("C-d");
            tmux.awaitExit(130);
        }
    }

    @Test
    void ctrlCAtIdlePromptAsksOnce() throws Exception {
        try (Tmux tmux = start(COLUMNS, "--script", script(DONE))) {
            tmux.awaitIdle();
            tmux.type("a draft");
            tmux.awaitText("> a draft");
            tmux.press("C-c");
            tmux.awaitIdle();
            assertThat(tmux.screen()).doesNotContain("a draft", "again ends");
            tmux.press("C-c");
            tmux.awaitText("Ctrl-C again ends the session");
            tmux.press("C-c");
            assertThat(tmux.awaitExit(130)).contains("to go on: paddock agent --resume");
        }
    }

    @Test
    void resumedSessionBeginsWithItsLastExchange() throws Exception {
        String answer = "{\"text\": \"The answer is known.\"}";
        cli().run(agent("-p", "What is known?", "--script", script(answer)));
        try (Tmux tmux = start(COLUMNS, "--resume", "last", "--script", script(DONE))) {
            assertThat(tmux.awaitIdle()).containsSubsequence("/help lists", "> What is known?\nThe answer is known.\n");
            enter(tmux, "/undo");
            tmux.awaitText("\n  paddock agent --workspace ID --checkpoint\n");
            end(tmux);
        }
    }

    @Test
    void filesAndFurtherLinesBelongToPrompt() throws Exception {
        Files.writeString(directory.resolve("included.txt"), "known content\n");
        Path outside = Files.writeString(state.resolve("outside.txt"), "content of elsewhere");
        Files.createSymbolicLink(directory.resolve("link.txt"), outside);
        try (ModelServer server = ModelServer.of(ScriptedModel.parse("answers", "{\"turns\": [" + DONE + "]}"));
                Tmux tmux = Tmux.start(server.knownTo(cli()), terminal, COLUMNS, ROWS, anthropic())) {
            assertThat(tmux.awaitIdle()).contains("  model      anthropic test-model");
            tmux.type("read @incl");
            tmux.press("Tab");
            tmux.awaitText("> read @included.txt");
            enter(tmux, "and @link.txt\\");
            enter(tmux, "on two lines");
            tmux.awaitText("@link.txt is not included");
            tmux.awaitText("Done.");
            String prompt = server.requests().getFirst().path("messages").toString();
            assertThat(prompt)
                    .contains("@link.txt\\non two lines", "known content")
                    .doesNotContain("content of elsewhere");
            end(tmux);
        }
    }

    @Test
    void historyIsPrivateAndComesBack() throws Exception {
        Path history = state.resolve("paddock/history");
        try (Tmux tmux = start(COLUMNS, "--script", script(DONE))) {
            tmux.awaitIdle();
            enter(tmux, "to be remembered");
            tmux.awaitText("Done.");
            end(tmux);
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(history)))
                .isEqualTo("rw-------");
        try (Tmux tmux = Tmux.start(
                cli(), Files.createDirectory(terminal.resolve("2")), COLUMNS, ROWS, agent("--script", script(DONE)))) {
            tmux.awaitText("/help lists the commands\n>"); // before its prompt, the editor reads no keys
            tmux.press("Up");
            tmux.awaitText("> to be remembered");
            tmux.press("C-c");
            end(tmux);
        }
    }

    @Test
    void callThatNoSandboxBoundsIsAskedFor() throws Exception {
        String turns = script(
                Turns.bash("echo 1 >>done", "/"), Turns.bash("echo 2 >>done"), Turns.bash("echo 2 >>done"), DONE);
        try (Tmux tmux = start(COLUMNS, "--script", turns)) {
            tmux.awaitIdle();
            enter(tmux, "go");
            tmux.awaitText("allow? y once");
            assertThat(tmux.screen())
                    .contains("The model asks for bash, outside the sandbox, in the directory /:\n    echo 1 >>done\n");
            tmux.type("n");
            tmux.awaitText("v never: n");
            tmux.press("Enter");
            tmux.awaitText("    echo 2 >>done\nallow?");
            tmux.press("Enter");
            enter(tmux, "s");
            tmux.awaitText("Done.");
            end(tmux);
        }
        assertThat(directory.resolve("done")).hasContent("2\n2");
        assertThat(state.resolve("paddock/history")).content().contains("go").doesNotContain(":s\n", ":n\n");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void hostThatIsNotAllowedIsAskedFor() throws Exception {
        String turns = script(
                Turns.bash("curl -sS http://unnamed.example/ 2>/dev/null || echo denied >>seen"),
                Turns.bash("curl -sS http://unnamed.example/ 2>/dev/null || echo denied >>seen"),
                DONE);
        String[] words = {"agent", "--executor", "bwrap", "--allow", "allowed.example", "--script", turns};
        try (Tmux tmux = Tmux.start(cli(), terminal, COLUMNS, ROWS, words)) {
            tmux.awaitIdle();
            enter(tmux, "go");
            tmux.awaitText("A command connects to unnamed.example:80, which is not allowed.\nallow? y once");
            enter(tmux, "never");
            tmux.awaitText("Done.");
            assertThat(tmux.screen().split("which is not allowed", -1))
                    .as("the second command is not asked about")
                    .hasSize(2);
            end(tmux);
        }
        assertThat(directory.resolve("seen")).hasContent("denied\ndenied");
    }

    @Test
    void lineKeepsItsPlaceWhenTerminalIsResized() throws Exception {
        try (Tmux tmux = startWaiting(DONE)) {
            tmux.awaitIdle();
            enter(tmux, "first");
            tmux.awaitText("(Esc stops)");
            tmux.type("a line of some length");
            for (int columns : new int[] {60, 200}) {
                tmux.resize(columns, ROWS);
                tmux.awaitText("\n> a line of some length\n");
            }
            Files.createFile(directory.resolve("go"));
            String screen = tmux.awaitText("Done.\n> a line of some length\n");
            assertThat(screen.split("> a line of some length", -1)).hasSize(2);
            tmux.press("C-c");
            end(tmux);
        }
    }

    /** Shifting the rest of a line made tmux take it to be as long as its screen is wide. */
    @Test
    void changedLineIsNoLongerThanItsTextWhenTerminalIsResized() throws Exception {
        try (Tmux tmux = start(COLUMNS, "--script", script(DONE))) {
            tmux.awaitText("/help lists the commands\n>");
            tmux.type("a changeed line");
            tmux.awaitText("> a changeed line");
            tmux.press("Left", "Left", "Left", "Left", "Left", "Left", "BSpace");
            tmux.awaitText("> a changed line");
            tmux.press("End", "M-Enter");
            tmux.type("and a second one");
            tmux.awaitText("\n  and a second one");
            tmux.resize(60, ROWS);
            tmux.press("BSpace");
            String screen = tmux.awaitText("\n> a changed line\n  and a second on\n");
            assertThat(screen.split("> a changed line", -1)).as(screen).hasSize(2);
            tmux.press("C-c");
            end(tmux);
        }
    }

    @Test
    void callsThatEndDuringResizeStayVisible() throws Exception {
        int calls = 8;
        String[] turns = new String[calls + 1];
        for (int at = 0; at < calls; at++) {
            turns[at] = Turns.bash("echo call-" + at);
        }
        turns[calls] = DONE;
        try (Tmux tmux = start(COLUMNS, "--ask", "never", "--script", script(turns))) {
            tmux.awaitIdle();
            enter(tmux, "first");
            for (int columns = 60; !tmux.screen().contains("Done."); columns = 160 - columns) {
                tmux.resize(columns, ROWS);
            }
            tmux.awaitIdle();
            String screen = tmux.screen();
            assertThat(screen).containsOnlyOnce("> first\n");
            for (int at = 0; at < calls; at++) {
                assertThat(screen).containsOnlyOnce("I look.\n  bash  echo call-" + at + "  done");
            }
            end(tmux);
        }
    }

    @Test
    void commandsThatBeginWithSlashAreCarriedOut() throws Exception {
        git("init", "-q");
        Files.writeString(directory.resolve("a.txt"), "old\n");
        git("add", ".");
        git("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "first");
        Files.writeString(directory.resolve("a.txt"), "new\n");
        try (Tmux tmux = start(COLUMNS, "--script", script(DONE))) {
            tmux.awaitIdle();
            enter(tmux, "/diff");
            tmux.awaitText("-old\n+new\n");
            enter(tmux, "/hepl");
            tmux.awaitText("there is no command /hepl; did you mean /help?");
            enter(tmux, "/help");
            tmux.awaitText("/quit ");
            enter(tmux, "/model other");
            tmux.awaitText("a script has no other model");
            enter(tmux, "/sandbox");
            tmux.awaitText("  network    open");
            enter(tmux, "/quit");
            tmux.awaitExit(0);
        }
    }

    private void git(String... words) throws Exception {
        String[] line = Stream.concat(Stream.of("git"), Arrays.stream(words)).toArray(String[]::new);
        assertThat(new ProcessBuilder(line)
                        .directory(directory.toFile())
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void modelIsReplacedBetweenTwoTurns() throws Exception {
        try (ModelServer server =
                        ModelServer.of(ScriptedModel.parse("answers", "{\"turns\": [" + DONE + "," + DONE + "]}"));
                Tmux tmux = Tmux.start(server.knownTo(cli()), terminal, COLUMNS, ROWS, anthropic())) {
            tmux.awaitIdle();
            enter(tmux, "/model other-model");
            tmux.awaitText("the next turn asks anthropic other-model");
            enter(tmux, "go");
            tmux.awaitText("Done.");
            assertThat(server.requests())
                    .extracting((JsonNode request) -> request.path("model").asText())
                    .containsExactly("other-model");
            end(tmux);
        }
    }

    @Test
    void questionsNeedEditor() throws Exception {
        Cli.Result refused = cli().run(agent("--script", script(DONE), "-p", "Go", "--ask", "always"));
        assertThat(refused.exitCode()).isEqualTo(2);
        assertThat(refused.stderr()).contains("--ask always asks at the line editor", "leave it out");
    }
}
