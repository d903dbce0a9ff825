package dev.paddock.cli;

import static dev.paddock.cli.ExecCommandTest.onHost;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.paddock.cli.terminal.DeviceProgram;
import dev.paddock.executor.tck.subject.HostSignals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code paddock exec} at a terminal, which {@code script} opens. */
@Tag("full")
@EnabledOnOs(OS.LINUX)
class ExecTerminalTest {
    private static final int COLUMNS = 101;

    @TempDir
    private Path directory;

    private Terminal start(String redirection, String... arguments) throws IOException {
        return Terminal.start(Cli.in(directory), directory.resolve("about"), COLUMNS, redirection, onHost(arguments));
    }

    private static void awaitText(Terminal terminal, String text) {
        await("the terminal shows '" + text + "'")
                .atMost(Cli.PATIENCE)
                .until(() -> terminal.shown().contains(text));
    }

    @Test
    void commandStartedAtTerminalHasOneOfItsOwn() throws Exception {
        try (Terminal terminal = start("", "-c", "tty; stty size; echo \"term $TERM\"; exit 5")) {
            assertThat(terminal.exitCode()).isEqualTo(5);
            assertThat(terminal.shown())
                    .contains("/dev/pts/", "24 " + COLUMNS, "term xterm")
                    .doesNotContain(
                            Files.readAllLines(directory.resolve("about")).getLast() + "\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--no-tty", "-n"})
    void noTerminalIfOptionSaysSo(String option) throws Exception {
        try (Terminal terminal = start("", option, "-c", "test -t 0 || echo none")) {
            assertThat(terminal.exitCode()).isZero();
            assertThat(terminal.shown()).contains("none");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"| cat", "</dev/null"})
    void noTerminalIfInputOrOutputIsRedirected(String redirection) throws Exception {
        try (Terminal terminal = start(redirection, "-c", "test -t 1 || echo none")) {
            assertThat(terminal.exitCode()).isZero();
            assertThat(terminal.shown()).contains("none");
        }
    }

    @Test
    void optionGivesTerminalWhoseOutputIsPassedOn() throws Exception {
        try (Terminal terminal = start("| cat", "-t", "-c", "test -t 1 && echo one")) {
            assertThat(terminal.exitCode()).isZero();
            assertThat(terminal.shown()).contains("one");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    -t    | -t | standard input is none; leave --tty out
                    --tty | -n | a terminal's input is not empty
                    --tty | -T | exclude each other
                    """)
    void terminalThatCannotBeIsUsageError(String one, String other, String message) throws Exception {
        String[] options = one.equals(other) ? onHost(one, "true") : onHost(one, other, "true");
        Cli.Result result = Cli.in(directory).run(options);
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.stderr()).hasLineCount(1).contains(message);
    }

    /** A full-screen program that is killed leaves the terminal as it had it. */
    @ParameterizedTest
    @CsvSource({"kill -9 $$, 137, true", "exit 3, 3, false"})
    void modesOfKilledProgramAreReset(String end, int exitCode, boolean isReset) throws Exception {
        try (Terminal terminal = start("", "-c", "printf '\\033[?1047h\\033[?1000h'; " + end)) {
            assertThat(terminal.exitCode()).isEqualTo(exitCode);
            assertThat(terminal.shown().contains("\u001b[?1000l")).isEqualTo(isReset);
            assertThat(terminal.shown().contains("\u001b[?1047l")).isEqualTo(isReset);
        }
    }

    @Test
    void modesOfProgramAreResetIfThisOneIsEnded() throws Exception {
        String script = "printf '\\033[?1047h\\033[?2004h'; echo ready; read line";
        try (Terminal terminal = start("", "-c", script)) {
            awaitText(terminal, "ready");
            terminal.send("TERM");
            assertThat(terminal.exitCode()).isEqualTo(143);
            assertThat(terminal.shown()).contains("\u001b[?1047l", "\u001b[?2004l", "\u001b[?25h");
        }
    }

    @Test
    void executorThatGivesNoneRefusesOption() throws Exception {
        // Without native calls the JDK starts the commands, without a terminal.
        Cli cli = Cli.in(directory).withoutNativeAccess();
        String[] demanded = onHost("-t", "-c", "touch made");
        try (Terminal terminal = Terminal.start(cli, directory.resolve("about"), COLUMNS, "", demanded)) {
            assertThat(terminal.exitCode()).isEqualTo(125);
            assertThat(terminal.shown())
                    .hasLineCount(1)
                    .contains("gives its commands no terminal", "guarantee TERMINAL", "without a terminal");
        }
        assertThat(directory.resolve("made")).doesNotExist();
        String[] left = onHost("-c", "test -t 0 || echo none");
        try (Terminal terminal = Terminal.start(cli, directory.resolve("about"), COLUMNS, "", left)) {
            assertThat(terminal.exitCode()).isZero();
            assertThat(terminal.shown()).contains("none");
        }
    }

    @Test
    void keysAreCommandsAndArriveOneByOne() throws Exception {
        String script =
                "stty -icanon -echo; echo ready; head -c 1 | od -An -tx1; stty sane; trap 'echo hit; exit 7' INT;"
                        + " echo waiting; while :; do sleep 0.1; done";
        try (Terminal terminal = start("", "-c", script)) {
            awaitText(terminal, "ready");
            terminal.type("\u0010");
            awaitText(terminal, "10\r\n");
            awaitText(terminal, "waiting");
            terminal.type(Terminal.CTRL_C);
            assertThat(terminal.exitCode()).isEqualTo(7);
            assertThat(terminal.shown()).contains("hit").doesNotContain("paddock:");
        }
    }

    @Test
    void newSizeIsPassedOn() throws Exception {
        String script = "trap 'stty size; exit 0' WINCH; echo ready; while :; do sleep 0.1; done";
        try (Terminal terminal = start("", "-c", script)) {
            awaitText(terminal, "ready");
            terminal.resize(77);
            assertThat(terminal.exitCode()).isZero();
            assertThat(terminal.shown()).contains("24 77");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    read line; exit 3           | 3   | a key
                    kill -TERM $$               | 143 | none
                    read line                   | 130 | INT
                    trap '' TERM HUP; while :; do sleep 1; done | 143 | TERM
                    """)
    void terminalsSettingsAreRestoredOnEveryEnd(String script, int code, String signal) throws Exception {
        Path before = directory.resolve("before");
        Path after = directory.resolve("after");
        Path program = directory.resolve("program");
        Cli cli = Cli.in(directory).withSignals();
        String call = cli.shellWords(onHost("--kill-grace", "0.2", "-c", "echo ready; " + script));
        String commands = "stty -g >" + before + "; sh -c 'echo $$ >" + program + "; exec \"$@\"' sh " + call
                + "; code=$?; stty -g >" + after + "; exit $code";
        try (Terminal terminal = Terminal.start(cli, directory.resolve("about"), COLUMNS, commands)) {
            awaitText(terminal, "ready");
            if (signal.equals("a key")) {
                terminal.type("x\r");
            } else if (!signal.equals("none")) {
                assertThat(HostSignals.send(
                                signal, Long.parseLong(Files.readString(program).strip())))
                        .isTrue();
            }
            assertThat(terminal.exitCode()).isEqualTo(code);
        }
        assertThat(Files.readString(after)).isEqualTo(Files.readString(before)).contains(":");
    }

    private List<String> changed(String way) throws Exception {
        Path file = directory.resolve(way);
        Cli cli = Cli.in(directory).mainClass(DeviceProgram.class);
        String commands = "stty -ixon iutf8; exec " + cli.shellWords(way, file.toString());
        try (Terminal terminal = Terminal.start(cli, directory.resolve("about"), COLUMNS, commands)) {
            assertThat(terminal.exitCode()).as(terminal.shown()).isZero();
        }
        return Files.readAllLines(file);
    }

    @Test
    void kernelsCallsDoWhatSttyDoes() throws Exception {
        List<String> direct = changed("calls");
        List<String> stty = changed("stty");

        assertThat(direct).first().isEqualTo("Direct");
        assertThat(stty).first().isEqualTo("Stty");
        assertThat(direct.subList(1, 5)).isEqualTo(stty.subList(1, 5));
        assertThat(direct.get(1)).isEqualTo("24 " + COLUMNS);
        assertThat(direct.get(4)).isEqualTo(direct.get(2)).isNotEqualTo(direct.get(3));
    }

    @Test
    void stoppedProgramLeavesTerminalAsItFoundIt() throws Exception {
        Path settings = directory.resolve("settings");
        String commands =
                "set -m; stty -g; " + Cli.in(directory).withSignals().shellWords(onHost("-c", "echo ready; read a"))
                        + "; stty -g >" + settings + "; fg; echo over $?";
        Cli cli = Cli.in(directory).withSignals();
        try (Terminal terminal = Terminal.start(
                cli, directory.resolve("about"), COLUMNS, "exec bash -c '" + commands.replace("'", "'\\''") + "'")) {
            awaitText(terminal, "ready");
            String program = List.of(terminal.shown().split("\r\n", -1)).getFirst();
            long shell = Long.parseLong(
                    Files.readAllLines(directory.resolve("about")).getFirst());
            long java = ProcessHandle.of(shell)
                    .orElseThrow()
                    .children()
                    .findFirst()
                    .orElseThrow()
                    .pid();
            assertThat(HostSignals.send("TSTP", java)).isTrue();
            await("the shell goes on").atMost(Cli.PATIENCE).until(() -> Files.exists(settings));
            awaitText(terminal, "read a");
            terminal.type("x\r");
            awaitText(terminal, "over 0");
            assertThat(Files.readString(settings).strip()).isEqualTo(program);
        }
    }
}
