package dev.paddock.executor.docker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what an engine does to a command's terminal; the contract tests the rest. */
@Tag("full")
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TerminalTest {
    @TempDir
    static Path directory;

    @AutoClose
    private static DockerExecutor shared;

    @BeforeAll
    static void share() throws Exception {
        shared = executor(TestEngine.BUSYBOX);
    }

    private static DockerExecutor executor(String image) throws IOException {
        TestEngine.withImage(image);
        return DockerExecutor.builder()
                .image(image)
                .pullPolicy(PullPolicy.NEVER)
                .worktree(directory.toRealPath())
                .build();
    }

    private static ProcessLike start(DockerExecutor executor, String command) throws IOException {
        return executor.spawn(
                command,
                SpawnOptions.builder("/work")
                        .env("SEEN", "a\u0003b\u0016\t'é")
                        .terminal(81, 25)
                        .killGrace(Duration.ofMillis(200))
                        .build());
    }

    private static void type(ProcessLike process, String keys) throws IOException {
        OutputStream terminal = process.stdin();
        terminal.write(keys.getBytes(UTF_8));
        terminal.flush();
    }

    /** Reads until the terminal has shown a text, and returns everything up to it. */
    private static String until(ProcessLike process, String text) throws IOException {
        StringBuilder shown = new StringBuilder();
        while (shown.indexOf(text) < 0) {
            int read = process.stdout().read();
            assertThat(read).as("the output has ended after '%s'", shown).isNotNegative();
            shown.append((char) read);
        }
        return shown.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {TestEngine.BUSYBOX, TestEngine.SHELL, TestEngine.DEBIAN})
    void everyImageWithShellGivesTerminalFromFirstByteOn(String image) throws Exception {
        try (DockerExecutor executor = executor(image)) {
            assertThat(executor.guarantees()).contains(Guarantee.TERMINAL);
            ProcessLike process = start(
                    executor,
                    "[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && : >/dev/tty && printf '%s|' \"$SEEN\"; read a; exit 3");
            assertThat(until(process, "|")).isEqualTo("a\u0003b\u0016\t'\u00c3\u00a9|");
            type(process, "x\n");
            Runs run = Runs.of(process);
            assertThat(run.status()).isEqualTo(new ExitStatus.Exited(3));
            assertThat(run.out()).isEqualTo("x\r\n");
            assertThat(process.stderr().read()).isEqualTo(-1);
        }
    }

    @Test
    void terminalHasItsSizeBeforeCommandAndEachSizeAfterwards() throws Exception {
        ProcessLike process =
                start(shared, "trap 'echo now $(stty size)' WINCH; stty size; while read -r a; do stty size; done");
        assertThat(until(process, "\n")).isEqualTo("25 81\r\n");
        assertThat(process.resize(132, 50)).isTrue();
        assertThat(until(process, "132")).contains("now 50 132");
        process.stdin().close();
        assertThat(Runs.of(process).status()).isEqualTo(new ExitStatus.Exited(0));
        assertThat(process.resize(80, 24)).isFalse();
    }

    @Test
    void singleCtrlPArrivesAtOnce() throws Exception {
        ProcessLike process = start(shared, "stty raw -echo; printf ready; head -c 2 | od -An -tx1");
        until(process, "ready");
        type(process, "\u0010");
        type(process, "\u0011");
        assertThat(Runs.of(process).out()).contains("10 11");
        ProcessLike shown = start(shared, "read a");
        type(shown, "\u0010");
        assertThat(until(shown, "^P")).isEqualTo("^P");
        shown.kill(Signal.KILL);
    }

    @Test
    void ctrlCInterruptsCommandAndNotItsSlot() throws Exception {
        ProcessLike process = start(shared, "echo ready; sleep 100");
        until(process, "ready\r\n");
        type(process, "\u0003");
        Runs run = Runs.of(process);
        assertThat(run.status()).isEqualTo(ExitStatus.ofShellCode(128 + Signal.INT.number()));
        assertThat(run.out()).isEqualTo("^C");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "line\n", "half a line"})
    void closingInputIsEndOfFile(String typed) throws Exception {
        ProcessLike process = start(shared, "stty -echo; printf ready; cat; echo ended");
        until(process, "ready");
        type(process, typed);
        process.stdin().close();
        assertThat(Runs.of(process).out()).isEqualTo(typed.replace("\n", "\r\n") + "ended\r\n");
    }

    @Test
    void whatCommandLeavesIsEndedAndItsLastOutputKept() throws Exception {
        ProcessLike process = start(
                shared,
                "mkfifo up; (trap 'echo bye; exit' TERM HUP; sleep 100 & echo > up; wait) & read a < up; echo x");
        Runs run = Runs.of(process);
        assertThat(run.out()).contains("x\r\n", "bye");
        CleanupReport report = process.onClosed().toCompletableFuture().get(30, TimeUnit.SECONDS);
        assertThat(report.leftoversEnded().orElse(0)).isPositive();
    }

    @Test
    void terminalThatCommandHasStoppedOrSpoiledKeepsNobodyWaiting() throws Exception {
        ProcessLike stopped = start(shared, "echo ready; read a");
        until(stopped, "ready\r\n");
        type(stopped, "x\u0013\n");
        Runs run = Runs.of(stopped);
        assertThat(run.status()).isEqualTo(new ExitStatus.Exited(0));
        stopped.onClosed().toCompletableFuture().get(30, TimeUnit.SECONDS);
        Runs spoiled = Runs.of(start(shared, "stty olcuc tostop raw; echo x; exit 4"));
        assertThat(spoiled.status()).isEqualTo(new ExitStatus.Exited(4));
        assertThat(spoiled.out()).startsWith("x\n");
    }

    @Test
    void longCommandPassesUnchanged() throws Exception {
        String text = "0123456789abcdé\u0001\u007f".repeat(4_000);
        Runs run = Runs.of(start(shared, "stty -opost; printf %s '" + text + "'"));
        assertThat(run.out()).isEqualTo(text);
    }

    @Test
    void noWarmSlotRunsIt() throws Exception {
        assertThat(Runs.of(shared, "/work", "echo warm").out()).isEqualTo("warm\n");
        assertThat(Runs.of(start(shared, "tty")).out()).startsWith("/dev/pts/");
        assertThat(Runs.of(shared, "/work", "tty").out()).doesNotContain("/dev");
    }

    @Test
    void directoryThatDoesNotExistIsRefusedAsAlways() throws Exception {
        try (DockerExecutor executor = executor(TestEngine.SHELL)) {
            assertThatThrownBy(() -> executor.spawn(
                            ":", SpawnOptions.builder("/none").terminal(80, 24).build()))
                    .hasMessageContaining("does not exist in the container: '/none'");
        }
    }
}
