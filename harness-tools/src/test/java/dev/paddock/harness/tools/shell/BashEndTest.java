package dev.paddock.harness.tools.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnException;
import dev.paddock.harness.tools.ToolCall;
import dev.paddock.harness.tools.ToolResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests how commands end, and how the bash tool reports it. */
class BashEndTest extends BashBench {
    @Test
    void exitCodeIsErrorThatEndsWithIt() {
        ToolResult result = run("echo out; exit 42");
        assertThat(result.isError()).isTrue();
        assertThat(result.text()).isEqualTo("out\n\nCommand exited with code 42");
        assertThat(result.details().integer("exitCode").orElseThrow()).isEqualTo(42);
    }

    @Test
    void deathBySignalNamesSignalAndItsCode() {
        ToolResult result =
                run(FakeProcess.writing("so far").ended(new ExitStatus.Signaled(Signal.SEGV), CleanupReport.NONE));
        assertThat(result.isError()).isTrue();
        assertThat(result.text()).startsWith("so far\n\n").contains("SIGSEGV").endsWith("139");
        assertThat(result.details().text("signal").orElseThrow()).isEqualTo("SEGV");
        assertThat(run("kill -9 $$").text()).contains("SIGKILL").endsWith("137");
    }

    @Test
    void outOfMemoryNamesLimit() {
        ToolResult result = run(FakeProcess.writing("")
                .ended(new ExitStatus.OutOfMemory(OptionalLong.of(512L << 20)), CleanupReport.NONE));
        assertThat(result.isError()).isTrue();
        assertThat(result.text())
                .contains("ran out of memory")
                .contains("512 MiB")
                .endsWith("137");
        assertThat(result.details().text("outcome").orElseThrow()).isEqualTo("out-of-memory");
        assertThat(run(FakeProcess.writing("")
                                .ended(new ExitStatus.OutOfMemory(OptionalLong.empty()), CleanupReport.NONE))
                        .text())
                .contains("machine's memory");
    }

    @Test
    void timeoutNamesSecondsAndKeepsWhatWasWritten() {
        String numbers = IntStream.rangeClosed(1, 3000).mapToObj(n -> n + "\n").collect(Collectors.joining());
        FakeProcess process = FakeProcess.writing(numbers);
        CommandExecutor obedient = (command, options) -> {
            var unused = options.signal()
                    .onAbort(() -> process.ended(new ExitStatus.Signaled(Signal.TERM), CleanupReport.NONE));
            return process;
        };
        ToolResult result = run(obedient, arguments("x").with("timeout", 0.5), AbortSignal.never());
        assertThat(result.isError()).isTrue();
        assertThat(result.text())
                .startsWith("1001\n")
                .contains("[Showing lines 1001-3000 of 3000")
                .contains("Command timed out after 0.5 seconds")
                .contains("those of its processes that were found; others may run on"); // it guarantees nothing
        assertThat(result.details().text("outcome").orElseThrow()).isEqualTo("timed-out");
    }

    @Test
    void abortSaysAbortedAndKeepsWhatWasWritten() throws Exception {
        AbortController abort = new AbortController();
        CompletableFuture<ToolResult> result =
                CompletableFuture.supplyAsync(() -> run(host, arguments("echo begun; exec sleep 300"), abort.signal()));
        await("the command has written \"begun\"").until(() -> updates.contains("begun\n"));
        abort.abort();
        assertThat(result.get(30, TimeUnit.SECONDS).text()).startsWith("begun\n\nCommand aborted");
    }

    @Test
    void abortBeatsTimeout() {
        AbortController abort = new AbortController();
        // Neither signal terminates the process: it ends after both timeout and abort have been
        // signaled.
        CommandExecutor stubborn = (command, options) -> {
            FakeProcess process = FakeProcess.writing("");
            options.signal().onAbort(() -> {
                abort.abort();
                process.ended(new ExitStatus.Signaled(Signal.TERM), CleanupReport.NONE);
            });
            return process;
        };
        ToolResult result = run(stubborn, arguments("x").with("timeout", 0.05), abort.signal());
        assertThat(result.text()).contains("Command aborted").doesNotContain("timed out");
    }

    @Test
    void abortedBeforeItStartsItDoesNotRun() {
        AbortController abort = new AbortController();
        abort.abort();
        ToolResult result = run(host, arguments("touch ran"), abort.signal());
        assertThat(result.text()).contains("aborted").contains("not run");
        assertThat(home.resolve("ran")).doesNotExist();
    }

    @Test
    void processThatDoesNotEndIsNotWaitedForForever() {
        long start = System.nanoTime();
        ToolResult result = run(
                (command, options) -> FakeProcess.writing("so far"),
                arguments("x").with("timeout", 0.1),
                AbortSignal.never());
        assertThat(result.text())
                .startsWith("so far")
                .contains("timed out after 0.1 seconds")
                .contains("may still be running");
        // Timeout, grace and one second, plus the delay of a loaded machine.
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
    }

    @Test
    void treeThatIgnoresTermIsKilledAndResultIsBackInTime() throws Exception {
        String stubborn =
                "trap '' TERM; echo $$; sleep 300 & echo $!; (trap '' TERM; while :; do sleep 1; done) & echo $!; wait";
        AbortController abort = new AbortController();
        CompletableFuture<ToolResult> running =
                CompletableFuture.supplyAsync(() -> run(host, arguments(stubborn), abort.signal()));
        await("the tree has written its three process ids")
                .until(() -> updates.stream().anyMatch(text -> text.lines().count() == 3 && text.endsWith("\n")));
        long start = System.nanoTime();
        abort.abort();
        ToolResult result = running.get(30, TimeUnit.SECONDS);
        // 0.5 s of grace, 1 s, plus the delay of a loaded machine.
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofMillis(500), Duration.ofSeconds(30));
        List<Long> tree = result.text().lines().limit(3).map(Long::valueOf).toList();
        await("every process of the tree has ended")
                .untilAsserted(() -> assertThat(tree).noneMatch(BashEndTest::lives));
    }

    @Test
    void grandchildThatHoldsPipeDoesNotHoldResultAndIsEnded() {
        long start = System.nanoTime();
        ToolResult result = run("sleep 300 & echo $!");
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
        assertThat(result.isError()).isFalse();
        assertThat(result.text()).contains("[1 process that the command had left running was ended with it.");
        long sleeper = Long.parseLong(result.text().lines().findFirst().orElseThrow());
        await("the grandchild that held the pipe has ended")
                .untilAsserted(() -> assertThat(lives(sleeper)).isFalse());
    }

    private static boolean lives(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }

    @Test
    void pipeThatStaysOpenIsLeftWhenItIsQuiet() throws IOException {
        try (PipedOutputStream held = new PipedOutputStream()) {
            FakeProcess process = over(new PipedInputStream(held));
            held.write("all there is\n".getBytes(StandardCharsets.UTF_8));
            held.flush();
            long start = System.nanoTime();
            assertThat(run(process).text()).isEqualTo("all there is\n");
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofMillis(250), Duration.ofSeconds(30));
        }
    }

    @Test
    void endlessWriterIsDrainedForTwoSecondsAtMost() {
        try (EndlessOutput output = new EndlessOutput()) {
            long start = System.nanoTime();
            assertThat(run(over(output)).text()).startsWith("more\nmore\n");
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            assertThat(took).isLessThan(Duration.ofSeconds(30));
            if (output.longestPause().compareTo(Duration.ofMillis(200)) < 0) {
                assertThat(took).isGreaterThan(Duration.ofMillis(1_900));
            }
        }
    }

    /** Comes in a line every 20 ms, unless the machine pauses it, which makes it quiet. */
    private static final class EndlessOutput extends InputStream {
        private volatile long longest;
        private volatile long since = System.nanoTime();
        private volatile boolean closed;

        @Override
        public int read() {
            throw new AssertionError("blocks are read");
        }

        @Override
        public int read(byte[] block, int offset, int length) {
            since = System.nanoTime();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            longest = Math.max(longest, System.nanoTime() - since);
            byte[] line = "more\n".getBytes(StandardCharsets.UTF_8);
            System.arraycopy(line, 0, block, offset, line.length);
            return closed ? -1 : line.length;
        }

        @Override
        public void close() {
            closed = true;
        }

        Duration longestPause() {
            return Duration.ofNanos(Math.max(longest, System.nanoTime() - since));
        }
    }

    private static FakeProcess over(InputStream stdout) {
        return new FakeProcess(stdout, new CompletableFuture<>(), new CompletableFuture<>())
                .ended(new ExitStatus.Exited(0), CleanupReport.NONE);
    }

    @Test
    void C8_leftoversThatWereEndedAreReportedWithHowToKeepService() {
        ToolResult result = run(FakeProcess.writing("up\n")
                .ended(
                        new ExitStatus.Exited(0),
                        CleanupReport.of(OptionalInt.of(2), List.of("Moved .git/hooks/pre-commit to quarantine."))));
        assertThat(result.isError()).isFalse();
        assertThat(result.text())
                .startsWith("up\n\n[2 processes that the command had left running were ended with it. A service has to")
                .endsWith("[Moved .git/hooks/pre-commit to quarantine.]");
    }

    @Test
    void reportThatComesLateIsGivenWithNextCommand() {
        FakeProcess late = FakeProcess.writing("one\n");
        late.onExit().complete(new ExitStatus.Exited(0));
        FakeProcess next = FakeProcess.writing("two\n").ended(new ExitStatus.Exited(0), CleanupReport.NONE);
        BashTool tool = tool((command, options) -> command.equals("first") ? late : next);
        assertThat(execute(tool, "first").text()).isEqualTo("one\n");
        late.onClosed().complete(CleanupReport.of(OptionalInt.of(1), List.of("Restored .bashrc.")));
        assertThat(execute(tool, "second").text())
                .startsWith("two\n\n[Of an earlier command: 1 process")
                .endsWith("[Of an earlier command: Restored .bashrc.]");
    }

    private static ToolResult execute(BashTool tool, String command) {
        return tool.execute(new ToolCall("call", "bash", arguments(command)), new QuietContext(AbortSignal.never()));
    }

    @Test
    void C15_sandboxThatIsLostIsReportedWithWhatWasWritten() {
        FakeProcess process = FakeProcess.writing("so far\n");
        SandboxLostException lost = new SandboxLostException("docker", "the container was removed");
        process.onExit().completeExceptionally(lost);
        process.onClosed().completeExceptionally(lost);
        ToolResult result = run(process);
        assertThat(result.isError()).isTrue();
        assertThat(result.text())
                .startsWith("so far\n")
                .contains("the container was removed")
                .contains("unknown");
        assertThat(result.details().text("outcome").orElseThrow()).isEqualTo("lost");
    }

    @Test
    void commandThatCannotStartIsReportedAsNotRun() {
        CommandExecutor broken = (command, options) -> {
            throw new SpawnException("the working directory does not exist: '/gone'");
        };
        ToolResult result = run(broken, arguments("true"), AbortSignal.never());
        assertThat(result.isError()).isTrue();
        assertThat(result.text()).contains("not run").contains("/gone");
    }
}
