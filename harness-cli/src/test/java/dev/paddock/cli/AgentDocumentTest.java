package dev.paddock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.cli.demo.DemoProject;
import dev.paddock.harness.model.AssistantTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The screens in the document about the agent are those that a user sees. */
@Tag("full")
class AgentDocumentTest extends AgentCommandCase {
    private static final Path DOCUMENT = Path.of("..", "docs", "agent.md");
    private static final int COLUMNS = 100;
    private static final int ROWS = 60;

    @TempDir
    private Path terminal;

    private static List<String> screens() throws IOException {
        return Pattern.compile("(?ms)^```text\\n(.*?)^```$")
                .matcher(Files.readString(DOCUMENT))
                .results()
                .map((MatchResult found) -> found.group(1).strip())
                .toList();
    }

    /** Replaces what differs from run to run. */
    private String settled(String screen) throws IOException {
        return screen.replace(directory.toRealPath().toString(), "/home/me/leap")
                .replaceAll("paddock \\S+\\n", "paddock 0.1.0\n")
                .replaceAll("\\d+\\.\\d s", "0.1 s")
                .replaceAll("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d", "2026-01-02 10:30")
                // Calls of one turn end in any order.
                .replaceAll("(  read  test.sh .*\n)(  read  leap.sh .*\n)", "$2$1")
                .replaceAll("(?m)[ ]+$", "")
                .strip();
    }

    @Test
    void taskFromItsPromptToItsEnd() throws Exception {
        McpBackend.BWRAP.require();
        DemoProject.writeTo(directory);
        String[] options = {
            "agent",
            "--executor",
            "bwrap",
            "--toolchains",
            "off",
            "--identity",
            "none",
            "--provider",
            "anthropic",
            "--model",
            "claude-sonnet-4-5"
        };
        try (ModelServer server = ModelServer.of(DemoProject.model());
                Tmux tmux = Tmux.start(server.knownTo(cli()), terminal, COLUMNS, ROWS, options)) {
            tmux.awaitIdle();
            tmux.type("Make the failing test pass.");
            tmux.press("Enter");
            tmux.awaitText("The test passes.");
            tmux.awaitIdle();
            tmux.type("/cost");
            tmux.press("Enter");
            String screen = tmux.awaitText("500 tokens read, 50 written\n>");
            assertThat(settled(screen)).isEqualTo(screens().get(0));
            tmux.press("C-d");
            tmux.awaitExit(0);
        }
    }

    /** The lines for a shell, one after the other, behind a session to go on with. */
    @Test
    void linesOfPageRun() throws Exception {
        McpBackend.BWRAP.require();
        DemoProject.writeTo(directory);
        List<String> lines = Pattern.compile("(?ms)^```sh\\n(.*?)^```$")
                .matcher(Files.readString(DOCUMENT))
                .results()
                .flatMap((MatchResult found) -> found.group(1).lines())
                .toList();
        assertThat(lines).hasSizeGreaterThan(4).allMatch(line -> line.startsWith("paddock "));
        try (ModelServer server = ModelServer.of((request, listener) -> AssistantTurn.saying("Done."))) {
            assertThat(server.knownTo(cli()).run(anthropic("-p", "Go")).exitCode())
                    .isZero();
            ShellLines shell = ShellLines.in(terminal.resolve("lines"));
            for (String line : lines) {
                Cli.Result result = shell.run(server.knownTo(cli()), line);
                assertThat(result.exitCode()).as("%s: %s", line, result).isZero();
            }
        }
        assertThat(directory.resolve("session.html")).content().contains("And now the documentation.");
    }

    @Test
    void sessionToGoOnWithIsPicked() throws Exception {
        DemoProject.writeTo(directory);
        for (String prompt : List.of("Explain what leap.sh does.", "Make the failing test pass.")) {
            assertThat(cli().run(agent("--script", script(Turns.DONE), "-p", prompt))
                            .exitCode())
                    .isZero();
        }
        String[] words = agent("--resume", "--script", script(Turns.DONE));
        try (Tmux tmux = Tmux.start(cli(), terminal, COLUMNS, ROWS, words)) {
            String screen = tmux.awaitText("Enter for 1:");
            assertThat(settled(screen)).isEqualTo(screens().get(2));
            tmux.press("Enter");
            tmux.awaitIdle();
            tmux.press("C-d");
            tmux.awaitExit(0);
        }
    }

    @Test
    void callOutsideSandboxIsAskedFor() throws Exception {
        String turns = script(Turns.bash("make deploy"), Turns.DONE);
        try (Tmux tmux = Tmux.start(cli(), terminal, COLUMNS, ROWS, agent("--script", turns))) {
            tmux.awaitIdle();
            tmux.type("Deploy it.");
            tmux.press("Enter");
            String screen = tmux.awaitText("v never:");
            assertThat(settled(screen.substring(screen.indexOf("> Deploy"))))
                    .isEqualTo(screens().get(1));
            tmux.type("n");
            tmux.press("Enter");
            tmux.awaitText("Done.");
            tmux.awaitIdle();
            tmux.press("C-d");
            tmux.awaitExit(0);
        }
    }
}
