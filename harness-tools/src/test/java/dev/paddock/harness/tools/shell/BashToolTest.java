package dev.paddock.harness.tools.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExitStatus;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.ToolResult;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the bash tool's arguments, and how it shows a command's output. */
class BashToolTest extends BashBench {
    @ParameterizedTest
    @ValueSource(doubles = {0, -1, -0.001, 1e300, -1e300, 600.001})
    void timeoutsOutOfRangeAreRefusedAndNothingRuns(double seconds) {
        Json arguments = arguments("touch ran").with("timeout", seconds);
        assertThatThrownBy(() -> run(host, arguments, AbortSignal.never()))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("timeout is")
                .hasMessageContaining("at most 600")
                .hasMessageContaining("The command was not run");
        assertThat(home.resolve("ran")).doesNotExist();
    }

    @Test
    void hugeAndTinyNumbersDoNotOverflow() {
        Json huge = arguments("true").with("timeout", BigInteger.TEN.pow(5_000));
        assertThatThrownBy(() -> run(host, huge, AbortSignal.never())).isInstanceOf(ToolException.class);
        Json longest = arguments("true").with("timeout", 600);
        assertThat(run(host, longest, AbortSignal.never()).isError()).isFalse();
    }

    @Test
    void bothStreamsAreOneTextInOrderOfArrival() {
        assertThat(run("echo 1; echo 2 >&2; echo 3; echo 4 >&2").text()).isEqualTo("1\n2\n3\n4\n");
    }

    @Test
    void emptyOutputSaysSo() {
        assertThat(run("true").text()).isEqualTo("(no output)");
        assertThat(run("exit 3").text()).isEqualTo("(no output)\n\nCommand exited with code 3");
    }

    @Test
    void colorsAndOverwrittenLinesAreLeftOutUnlessTheyAreWanted() {
        String command = "printf '\\033[31mred\\033[0m\\n10 %%\\r100 %%\\n'";
        assertThat(run(command).text()).isEqualTo("red\n100 %\n");
        assertThat(run(host, arguments(command).with("raw", true), AbortSignal.never())
                        .text())
                .isEqualTo("\033[31mred\033[0m\n10 %\r100 %\n".replace("\033", "\u001b"));
        assertThat(run("printf '\\033[0m'").text()).isEqualTo("(no output)");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 65_536, 4_294_970_296L, Long.MAX_VALUE})
    void invalidPortIsRefused(long port) {
        assertThatThrownBy(() -> run(
                        host,
                        arguments("touch ran").with("run_in_background", true).with("publish", port),
                        AbortSignal.never()))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("'" + port + "' is no port");
        assertThat(home.resolve("ran")).doesNotExist();
    }

    @Test
    void commandStartsWhereItsCallSays() throws Exception {
        Path sub = Files.createDirectories(home.resolve("a b/c"));
        for (String cwd : new String[] {"a b/c", "./a b/c", sub.toString()}) {
            assertThat(run(host, arguments("pwd -P").with("cwd", cwd), AbortSignal.never())
                            .text())
                    .isEqualTo(sub.toRealPath() + "\n");
        }
        assertThat(run(host, arguments("pwd").with("cwd", ""), AbortSignal.never())
                        .text())
                .isEqualTo(home + "\n");
        ToolResult none = run(host, arguments("touch ran").with("cwd", "none"), AbortSignal.never());
        assertThat(none.isError()).isTrue();
        assertThat(none.text()).contains("was not run", home + "/none");
        assertThat(run(host, arguments("touch ran").with("cwd", "a\0b"), AbortSignal.never())
                        .text())
                .contains("was not run");
        assertThat(home.resolve("ran")).doesNotExist();
    }

    @Test
    void tailIsKeptAndWholeIsInFileNamed() {
        ToolResult result = run("seq 1 5000");
        assertThat(result.text()).startsWith("3001\n3002\n").contains("\n5000\n\n[Showing lines 3001-5000 of 5000");
        String log = result.details().text("log").orElseThrow();
        assertThat(result.text()).endsWith("Full output: " + log + "]");
        assertThat(Path.of(log))
                .content()
                .startsWith("1\n2\n")
                .endsWith("4999\n5000\n")
                .hasLineCount(5000);
        assertThat(result.details().integer("totalLines").orElseThrow()).isEqualTo(5000);
    }

    @Test
    void updatesAreCumulativeRateLimitedAndComplete() throws Exception {
        Path gate = home.resolve("gate");
        AbortController abort = new AbortController();
        CompletableFuture<ToolResult> result = CompletableFuture.supplyAsync(() -> run(
                host, arguments("seq 1 20000; echo last; while [ ! -e gate ]; do sleep 0.05; done"), abort.signal()));
        await("the last update shows the last line")
                .until(() -> !updates.isEmpty() && updates.getLast().endsWith("20000\nlast\n"));
        Files.createFile(gate);
        assertThat(result.get(30, TimeUnit.SECONDS).isError()).isFalse();
        assertThat(updates).hasSizeLessThan(50);
    }

    @Test
    void standardInputIsEmptyAndNobodyIsAsked() {
        assertThat(run("cat; read line; echo \"$? $GIT_TERMINAL_PROMPT $PAGER\"")
                        .text())
                .isEqualTo("1 0 cat\n");
    }

    @Test
    void commandOfOneMebibyteReachesExecutorWhole() {
        AtomicReference<String> seen = new AtomicReference<>();
        CommandExecutor recording = (command, options) -> {
            seen.set(command);
            return FakeProcess.writing("").ended(new ExitStatus.Exited(0), CleanupReport.NONE);
        };
        String command = ": '" + "é".repeat((CommandExecutor.MAX_COMMAND_BYTES - 4) / 2) + "'";
        assertThat(run(recording, arguments(command), AbortSignal.never()).isError())
                .isFalse();
        assertThat(seen).hasValue(command);
        assertThatThrownBy(() -> run(recording, arguments(command + "é"), AbortSignal.never()))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("more than the 1048576");
    }

    @Test
    void nulIsRefused() {
        assertThatThrownBy(() -> run("echo \0"))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("NUL");
    }

    @Test
    void backgroundSwitchedOffIsRefusedAndNotRun() {
        assertThatThrownBy(() -> run(host, arguments("touch ran").with("run_in_background", true), AbortSignal.never()))
                .isInstanceOf(ToolException.class)
                .hasMessageContaining("switched off")
                .hasMessageContaining("not run");
        assertThat(home.resolve("ran")).doesNotExist();
    }
}
