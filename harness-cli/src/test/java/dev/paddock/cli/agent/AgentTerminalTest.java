package dev.paddock.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.paddock.cli.Cli;
import dev.paddock.cli.FakeProvider;
import dev.paddock.cli.Terminal;
import dev.paddock.cli.Turns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code paddock agent} at a terminal without its line editor: prompts that are asked for in plain
 * lines, the keys that end work, and the live view.
 */
@Tag("full")
class AgentTerminalTest {
    private static final int COLUMNS = 44;

    @TempDir
    private Path directory;

    @TempDir
    private Path state;

    /**
     * The argument of the test's sleeps. No other process has it, so that the test finds its own by
     * it.
     */
    private final String seconds = "84" + ThreadLocalRandom.current().nextInt(100_000, 1_000_000);

    private Terminal agent(Cli cli, String redirection, String... options) throws IOException {
        String[] words = Stream.concat(Stream.of("agent"), Stream.of(options)).toArray(String[]::new);
        return Terminal.start(
                cli.env("XDG_STATE_HOME", state.toString()), state.resolve("about"), COLUMNS, redirection, words);
    }

    private Terminal agent(String redirection, String... options) throws IOException {
        String[] words = Stream.concat(Stream.of("--executor", "host"), Stream.of(options))
                .toArray(String[]::new);
        return agent(Cli.in(directory), redirection, words);
    }

    private String sleep() throws IOException {
        return Turns.bash("exec sleep " + seconds);
    }

    private void awaitSleeps(long count) {
        await("the expected number of the command's processes run")
                .atMost(Cli.PATIENCE)
                .until(() -> Cli.processesWith(seconds) == count);
    }

    @Test
    void eachCtrlCAbortsItsTurnAloneAndNextPromptIsAskedFor() throws Exception {
        String script = Turns.script(state, sleep(), sleep(), sleep(), Turns.DONE);
        try (Terminal terminal = agent("", "--plain", "--script", script)) {
            for (int turn = 1; turn <= 3; turn++) {
                terminal.awaitPrompt(turn);
                terminal.type("again\n");
                awaitSleeps(1);
                terminal.type(Terminal.CTRL_C);
                awaitSleeps(0);
            }
            terminal.awaitPrompt(4);
            terminal.type("\nto the end\n");
            terminal.awaitPrompt(6);
            terminal.type(Terminal.CTRL_D);
            assertThat(terminal.exitCode()).as(terminal.shown()).isZero();
            assertThat(terminal.shown()).contains("Done.", "paddock: 4 turns", "--resume");
            assertThat(terminal.prompts()).as("a blank line is asked for again").isEqualTo(6);
        }
    }

    @Test
    void secondCtrlCEndsSessionAndNothingIsAskedForAnyMore() throws Exception {
        String stubborn = Turns.bash("trap 'echo received >received' TERM; while :; do sleep " + seconds + "; done");
        String script = Turns.script(state, stubborn, Turns.DONE);
        try (Terminal terminal = agent("", "--plain", "--script", script, "--kill-grace", "3600")) {
            terminal.awaitPrompt(1);
            terminal.type("go\n");
            awaitSleeps(1);
            terminal.type(Terminal.CTRL_C);
            await("the file that the command writes exists")
                    .atMost(Cli.PATIENCE)
                    .until(() -> Files.exists(directory.resolve("received")));
            terminal.type(Terminal.CTRL_C);
            assertThat(terminal.exitCode()).as(terminal.shown()).isEqualTo(130);
            assertThat(terminal.prompts()).isEqualTo(1);
            awaitSleeps(0);
        }
    }

    @Test
    void signalAtWorkEndsSession() throws Exception {
        try (Terminal terminal = agent("", "--plain", "--script", Turns.script(state, sleep(), Turns.DONE))) {
            terminal.awaitPrompt(1);
            terminal.type("go\n");
            awaitSleeps(1);
            terminal.send("TERM");
            assertThat(terminal.exitCode()).as(terminal.shown()).isEqualTo(143);
            assertThat(terminal.prompts()).isEqualTo(1);
            awaitSleeps(0);
        }
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "HUP, 129"})
    void signalAtPromptEndsSession(String signal, int code) throws Exception {
        String background = Turns.bash("exec sleep " + seconds)
                .replace("\"arguments\": {", "\"arguments\": {\"run_in_background\": true, ");
        try (Terminal terminal = agent("", "--plain", "--script", Turns.script(state, background, Turns.DONE))) {
            terminal.awaitPrompt(1);
            terminal.type("go\n");
            terminal.awaitPrompt(2);
            awaitSleeps(1);
            terminal.send(signal);
            assertThat(terminal.exitCode()).as(terminal.shown()).isEqualTo(code);
            awaitSleeps(0);
        }
    }

    @Test
    void ctrlCWhileExecutorIsBeingOpenedIsNotFollowedByPrompt() throws Exception {
        Path services = FakeProvider.declare(state.resolve("services"), List.of(FakeProvider.Interrupted.class));
        Cli cli = Cli.in(directory).classPath(services);
        try (Terminal terminal =
                agent(cli, "", "--executor", "interrupted", "--script", Turns.script(state, Turns.DONE))) {
            assertThat(terminal.exitCode()).as(terminal.shown()).isEqualTo(130);
        }
    }

    @Test
    void questionIsNoPartOfOutput() throws Exception {
        Path output = state.resolve("output");
        String script = Turns.script(state, Turns.bash("echo hello"), Turns.DONE);
        try (Terminal terminal = agent(">" + output, "--json", "--script", script)) {
            terminal.awaitPrompt(1);
            terminal.type("Say héllo\n");
            terminal.awaitPrompt(2);
            terminal.type(Terminal.CTRL_D);
            assertThat(terminal.exitCode()).as(terminal.shown()).isZero();
            assertThat(terminal.prompts()).isEqualTo(2);
        }
        assertThat(Turns.event(Turns.events(Files.readString(output)), "run_started")
                        .path("prompt")
                        .asText())
                .isEqualTo("Say héllo");
    }

    @Test
    void elsewhereThanOnTerminalThereArePlainLines() throws Exception {
        Path output = state.resolve("output");
        String script = Turns.script(state, Turns.bash("echo hello"), Turns.DONE);
        try (Terminal terminal = agent(">" + output, "--script", script, "-p", "Go")) {
            assertThat(terminal.exitCode()).as(terminal.shown()).isZero();
        }
        assertThat(output)
                .content()
                .contains("  bash  echo hello\n", "    | hello\n")
                .doesNotContain("\u001b");
    }

    @Test
    void liveViewIsAsWideAsTerminal() throws Exception {
        String wide = Turns.bash("printf %0300d 0; exec sleep " + seconds);
        try (Terminal terminal = agent("", "--script", Turns.script(state, wide, Turns.DONE), "-p", "Go")) {
            awaitSleeps(1);
            await("the view fits the terminal's first width")
                    .atMost(Cli.PATIENCE)
                    .until(() -> widest(terminal) == COLUMNS - 1);
            terminal.resize(COLUMNS + 20);
            await("the view fits the terminal's new width")
                    .atMost(Cli.PATIENCE)
                    .until(() -> widest(terminal) == COLUMNS + 19);
            assertThat(terminal.shown()).contains("(Ctrl-C stops)", "\u001b[J");
            terminal.type(Terminal.CTRL_C);
            assertThat(terminal.exitCode()).as(terminal.shown()).isEqualTo(130);
        }
    }

    /** Returns how many columns the widest line takes that was drawn so far; colors take none. */
    private static int widest(Terminal terminal) {
        String plain = terminal.shown().replaceAll("\u001b\\[\\d*m", "");
        return Arrays.stream(plain.split("\r|\n|\u001b\\[\\d*[AJ]", -1))
                .mapToInt(String::length)
                .max()
                .orElse(0);
    }
}
