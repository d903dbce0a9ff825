package dev.paddock.executor.path;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.CommandExecutor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the report with the machine's shells. */
class ReportingCommandTest {
    @TempDir
    Path home;

    /** A shell's output and exit code. */
    private record Ended(int code, String out, String err) {}

    private List<String> shells() throws IOException {
        home = home.toRealPath();
        Files.createDirectories(home.resolve("sub"));
        return List.of("dash", "bash", "busybox sh").stream()
                .filter(shell -> Files.exists(Path.of("/bin", shell.split(" ", -1)[0])))
                .toList();
    }

    private Ended run(String shell, String command) throws Exception {
        List<String> argv = new ArrayList<>(List.of(shell.split(" ", -1)));
        argv.addAll(List.of("-c", "--", ReportingCommand.of(command)));
        Process process = new ProcessBuilder(argv).directory(home.toFile()).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), out, err);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cd sub | 0",
                "cd sub; exit 3 | 3",
                "set -e; cd sub; false; cd .. | 1",
                "set -x; cd sub; (exit 4) | 4",
                "cd sub; exec 2>/dev/null; (exit 5) | 5",
                "cd sub; printf() { :; }; pwd() { :; }; (exit 6) | 6",
                "cd sub; command_that_is_missing | 127",
            })
    void reportsDirectoryAndKeepsStatus(String command, int code) throws Exception {
        assertThat(shells()).isNotEmpty().allSatisfy(shell -> {
            Ended ended = run(shell, command);
            assertThat(ended.code()).as(shell).isEqualTo(code);
            assertThat(ended.err()).as(shell).isEqualTo("\0" + home.resolve("sub") + "\n\0");
        });
    }

    /** Another name of cd in dash and BusyBox. */
    @Test
    void reportsDirectoryAfterChdir() throws Exception {
        assertThat(shells())
                .filteredOn(shell -> !shell.equals("bash"))
                .allSatisfy(shell -> assertThat(run(shell, "chdir sub").err())
                        .as(shell)
                        .isEqualTo("\0" + home.resolve("sub") + "\n\0"));
    }

    @Test
    void leavesDescriptorsThatCommandUsesAlone() throws Exception {
        assertThat(shells()).allSatisfy(shell -> {
            assertThat(run(shell, "cd sub; exec 8>file; echo own >&8").code()).isZero();
            assertThat(home.resolve("sub/file")).hasContent("own\n");
            assertThat(run(shell, "cd sub; exec 8>&-; exit 7")).as(shell).isEqualTo(new Ended(7, "", ""));
        });
    }

    @Test
    void commandsErrorsGoToItsOutputUnderItsLineNumbers() throws Exception {
        assertThat(shells()).allSatisfy(shell -> {
            Ended ended = run(shell, "cd sub; echo one; echo two >&2; echo three\nif then");
            assertThat(ended.out()).as(shell).startsWith("one\ntwo\nthree\n").contains("then");
            Ended first = run(shell, "cd sub; if then");
            assertThat(ReportingCommand.withoutCode(first.err()))
                    .as(shell)
                    .contains("then")
                    .doesNotContain("trap");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cd a",
                "chdir a",
                "pushd a",
                "true && cd",
                "\\cd a",
                "source ./x",
                ". ./x",
                "(. ./x)",
                "if . ./x; then :; fi",
                "while . ./x; do :; done",
                "command . ./x",
                "A=1 . ./x",
                "eval \"$x\""
            })
    void isWantedWhereDirectoryMayChange(String command) {
        assertThat(ReportingCommand.isWanted(command)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ls .", "find . -name x", "abcd", "./gradlew test", "echo .", "a=1 make ."})
    void isNotWantedElsewhere(String command) {
        assertThat(ReportingCommand.isWanted(command)).isFalse();
    }

    @Test
    void givenCommandIsFoundAgain() {
        assertThat(ReportingCommand.plain(ReportingCommand.of("cd a"))).isEqualTo("cd a");
        assertThat(ReportingCommand.plain("cd a")).isEqualTo("cd a");
        assertThat(ReportingCommand.isWanted("cd " + "a".repeat(CommandExecutor.MAX_COMMAND_BYTES - 4)))
                .as("there is no room for the report")
                .isFalse();
    }
}
