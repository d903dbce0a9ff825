package dev.paddock.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.run.Capture;
import dev.paddock.executor.run.OutputSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@link CommandExecutor#run} over an executor that is a lambda. */
class CommandRunTest extends RunningCommands {
    @Test
    void inputOutputAndStatus() throws Exception {
        CommandResult result =
                PLAIN.run("cat; echo err >&2; exit 3", options().stdin("input".getBytes(StandardCharsets.UTF_8)));
        assertThat(result.outText()).isEqualTo("input");
        assertThat(result.errText()).isEqualTo("err\n");
        assertThat(result.outcome()).isEqualTo(new CommandOutcome.Exited(new ExitStatus.Exited(3)));
        assertThat(result.succeeded()).isFalse();
        assertThatThrownBy(result::orThrow)
                .isInstanceOfSatisfying(
                        CommandFailedException.class,
                        failed -> assertThat(failed.result()).isSameAs(result))
                .hasMessage("the command ended with 3; the end of its standard error: err");
    }

    @Test
    void emptyCommandSucceedsAndOptionsServeSecondRun() throws Exception {
        RunOptions options = options().stdin("twice".getBytes(StandardCharsets.UTF_8));
        assertThat(PLAIN.run("", options).succeeded()).isTrue();
        assertThat(PLAIN.run("cat", options).orThrow().outText()).isEqualTo("twice");
    }

    @Test
    void timeoutEndsCommandAndKeepsItsOutput() throws Exception {
        CommandResult result = returningWhen("up")
                .run("echo first; : > up; exec tail -f /dev/null", options().timeout(SOON));
        assertThat(result.outcome()).isEqualTo(new CommandOutcome.TimedOut(SOON));
        assertThat(result.status()).contains(new ExitStatus.Signaled(Signal.TERM));
        assertThat(result.outText()).isEqualTo("first\n");
    }

    @Test
    void abortDuringRunIsItsOutcome() throws Exception {
        AbortController controller = new AbortController();
        RunOptions options = options().signal(controller.signal()).onLine((from, line) -> controller.abort("enough"));
        assertThat(PLAIN.run("echo go; exec tail -f /dev/null", options).outcome())
                .isEqualTo(new CommandOutcome.Aborted("enough"));
    }

    @Test
    void abortBeforeRunsNothing() {
        AbortController controller = new AbortController();
        controller.abort("no");
        assertThatThrownBy(() -> PLAIN.run("touch ran", options().signal(controller.signal())))
                .isInstanceOf(AbortedException.class);
        assertThat(directory.resolve("ran")).doesNotExist();
    }

    @Test
    void linesAreDecodedAcrossBlocksAndSplit() throws Exception {
        List<String> lines = new ArrayList<>();
        PLAIN.run(
                        "printf 'a\\303'; printf '\\244\\r'; printf '\\nb\\rc\\n\\nlonger'",
                        options().maxLine(4).onLine((from, line) -> lines.add(line)))
                .orThrow();
        assertThat(lines).containsExactly("aä", "b", "c", "", "long", "er");
    }

    @Test
    void callbackThatThrowsIsDisabledAndDrainingGoesOn() throws Exception {
        List<Integer> calls = new ArrayList<>();
        CommandResult result =
                PLAIN.run("yes | head -c 1000000; exit 7", options().onChunk((from, bytes) -> {
                    calls.add(bytes.length);
                    throw new IOException("full");
                }));
        assertThat(calls).hasSize(1);
        assertThat(result.outBytes()).isEqualTo(1_000_000);
        assertThat(result.status()).contains(new ExitStatus.Exited(7));
        assertThat(result.callbackErrors()).singleElement().isInstanceOf(IOException.class);
    }

    @Test
    void callbackThatNeverReturnsIsInterruptedAfterTimeout() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        CommandExecutor ended = (command, options) -> {
            ProcessLike process = PLAIN.spawn(command, options);
            process.onExit().toCompletableFuture().join();
            return process;
        };
        CommandResult result = ended.run(
                "echo x; exit 5", options().timeout(Duration.ofSeconds(2)).onLine((from, line) -> {
                    try {
                        new CountDownLatch(1).await();
                    } finally {
                        interrupted.countDown();
                    }
                }));
        assertThat(interrupted.await(30, TimeUnit.SECONDS)).as("interrupted").isTrue();
        assertThat(result.status()).contains(new ExitStatus.Exited(5));
        assertThat(result.callbackErrors()).hasSize(1);
        assertThat(result.succeeded()).isFalse();
    }

    @Test
    void writerThatBlocksDoesNotHoldResult() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        CommandResult result = PLAIN.run("read begun", options().stdin(in -> {
            try {
                in.write('\n'); // a writer that has not begun is never called
                in.flush();
                new CountDownLatch(1).await();
            } catch (InterruptedException ended) {
                interrupted.countDown();
            }
        }));
        assertThat(interrupted.await(30, TimeUnit.SECONDS)).as("interrupted").isTrue();
        assertThat(result.succeeded()).isTrue();
    }

    @Test
    void writerThatThrowsIsReportedAndBrokenPipeIsNot() throws Exception {
        CommandResult thrown = PLAIN.run("cat", options().stdin(in -> {
            throw new IOException("no more");
        }));
        assertThat(thrown.callbackErrors()).singleElement().hasToString("java.io.IOException: no more");
        byte[] much = new byte[1 << 20];
        assertThat(PLAIN.run("exit 0", options().stdin(much)).succeeded()).isTrue();
    }

    @Test
    void filesAreInputAndOutput() throws Exception {
        Path file = Files.writeString(directory.resolve("in"), "content");
        Path output = Files.writeString(directory.resolve("out"), "an older, longer text");
        PLAIN.run("cat", options().stdin(file).toFile(output)).orThrow();
        assertThat(output).hasContent("content");
    }

    @Test
    void unusableFilesRunNothing() throws IOException {
        Path kept = Files.writeString(directory.resolve("kept"), "kept");
        assertThatThrownBy(() -> PLAIN.run(
                        "touch ran",
                        options().stdin(directory.resolve("missing")).toFile(kept)))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("missing");
        assertThatThrownBy(() -> PLAIN.run("touch ran", options().toFile(directory)))
                .isInstanceOf(SpawnException.class);
        assertThat(directory.resolve("ran")).doesNotExist();
        assertThat(kept).hasContent("kept");
    }

    @Test
    void pipeWithoutReaderIsRefusedAsOutputsFile() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        assertThatThrownBy(() -> PLAIN.run("touch ran", options().toFile(pipe)))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining(pipe + ": it is no regular file; give a regular file");
        assertThatThrownBy(() -> PLAIN.run("touch ran", options().stdin(pipe))).isInstanceOf(SpawnException.class);
        assertThat(directory.resolve("ran")).doesNotExist();
    }

    @Test
    void linksAreNotFollowedForInputOrOutput() throws Exception {
        Path kept = Files.writeString(directory.resolve("kept"), "kept");
        Path link = Files.createSymbolicLink(directory.resolve("link"), kept);
        assertThatThrownBy(() -> PLAIN.run("touch ran", options().toFile(link))).isInstanceOf(SpawnException.class);
        assertThatThrownBy(() -> PLAIN.run("touch ran", options().stdin(link))).isInstanceOf(SpawnException.class);
        assertThat(directory.resolve("ran")).doesNotExist();
        assertThat(kept).hasContent("kept");
    }

    @Test
    void resultDoesNotWaitForCleanupBeyondItsCloseTimeout() throws Exception {
        CompletableFuture<CleanupReport> closed = new CompletableFuture<>();
        CommandExecutor slow = (command, options) -> new ForwardingProcess(PLAIN.spawn(command, options)) {
            @Override
            public CompletionStage<CleanupReport> onClosed() {
                return closed;
            }
        };
        CommandResult result = slow.run("echo done", options().closeTimeout(SOON));
        assertThat(result.outText()).isEqualTo("done\n");
        assertThat(result.cleanup()).isEmpty();
        CleanupReport late = CleanupReport.of(OptionalInt.of(1), List.of("late"));
        closed.complete(late);
        assertThat(result.closed().toCompletableFuture()).isCompletedWithValue(late);
    }

    @Test
    void outputIsAlsoWrittenToStreamThatStaysOpen() throws Exception {
        ByteArrayOutputStream copied = new ByteArrayOutputStream() {
            @Override
            public void close() {
                throw new AssertionError("closed");
            }
        };
        assertThat(PLAIN.run("echo out; echo err >&2", options().toStream(copied))
                        .orThrow()
                        .outText())
                .isEqualTo("out\n");
        assertThat(copied).hasToString("out\n");
        CommandResult result = PLAIN.run("echo out", options().toStream(new OutputStream() {
            @Override
            public void write(int value) throws IOException {
                throw new IOException("full");
            }
        }));
        assertThat(result.callbackErrors()).singleElement().hasToString("java.io.IOException: full");
        assertThat(result.outText()).isEqualTo("out\n");
    }

    @Test
    void mergedStreamsAreOne() throws Exception {
        CommandResult result = PLAIN.run("echo 1; echo 2 >&2; echo 3", options().stderr(SpawnOptions.Stderr.MERGED));
        assertThat(result.outText()).isEqualTo("1\n2\n3\n");
        assertThat(result.errBytes()).isZero();
    }

    @Test
    void captureIsBoundedAndEveryByteCounted() throws Exception {
        CommandResult result = PLAIN.run(
                "printf start; head -c 1073741824 /dev/zero; printf finish",
                options().capture(Capture.headAndTail(12)));
        assertThat(result.outBytes()).isEqualTo((1L << 30) + 11);
        assertThat(new String(result.out(), StandardCharsets.US_ASCII)).isEqualTo("start\0finish");
        assertThat(result.outText()).contains("[1073741823 bytes left out]");
    }

    @Test
    void interruptAbortsCommand() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        List<ProcessLike> started = new ArrayList<>();
        CommandExecutor recording = (command, options) -> {
            ProcessLike process = PLAIN.spawn(command, options);
            started.add(process);
            return process;
        };
        FutureTask<CommandResult> run = new FutureTask<>(() ->
                recording.run("echo; exec tail -f /dev/null", options().onLine((from, line) -> running.countDown())));
        Thread caller = Thread.ofPlatform().daemon().start(run);
        assertThat(running.await(30, TimeUnit.SECONDS)).as("running").isTrue();
        caller.interrupt();
        assertThatThrownBy(() -> run.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(InterruptedException.class);
        assertThat(started.getFirst().onExit().toCompletableFuture().get(30, TimeUnit.SECONDS))
                .isEqualTo(new ExitStatus.Signaled(Signal.TERM));
    }

    @Test
    void slowStartIsBoundedAndItsCommandAborted() {
        CountDownLatch aborted = new CountDownLatch(1);
        CommandExecutor slow = (command, options) -> {
            var unused = options.signal().onAbort(aborted::countDown);
            try {
                aborted.await();
            } catch (InterruptedException unexpected) {
                throw new IllegalStateException(unexpected);
            }
            throw new AbortedException("late");
        };
        assertThatThrownBy(() -> slow.run("true", options().startTimeout(SOON)))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("PT0.2S");
    }

    @Test
    void abortDoesNotWaitForSlowStart() throws Exception {
        CountDownLatch starting = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        CompletableFuture<ProcessLike> late = new CompletableFuture<>();
        CommandExecutor slow = (command, options) -> {
            starting.countDown();
            try {
                answered.await(); // whatever its signal says
            } catch (InterruptedException unexpected) {
                throw new IllegalStateException(unexpected);
            }
            late.complete(
                    PLAIN.spawn(command, SpawnOptions.builder(options.cwd()).build()));
            return late.join();
        };
        AbortController abort = new AbortController();
        FutureTask<CommandResult> run =
                new FutureTask<>(() -> slow.run("exec true", options().signal(abort.signal())));
        Thread.ofPlatform().daemon().start(run);
        assertThat(starting.await(30, TimeUnit.SECONDS)).as("starting").isTrue();
        abort.abort("enough");
        assertThatThrownBy(() -> run.get(30, TimeUnit.SECONDS))
                .hasCauseInstanceOf(AbortedException.class)
                .hasMessageContaining("enough");
        assertThat(late).as("the start goes on").isNotDone();
        answered.countDown();
        assertThat(late.get(30, TimeUnit.SECONDS).onExit().toCompletableFuture().get(30, TimeUnit.SECONDS))
                .isEqualTo(new ExitStatus.Exited(0));
    }

    @Test
    void disposedExecutorRefuses() {
        CommandExecutor disposed = (command, options) -> {
            throw new ExecutorDisposedException("plain");
        };
        assertThatThrownBy(() -> disposed.run("true", options())).isInstanceOf(ExecutorDisposedException.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1})
    void limitsAreMoreThanZero(long millis) {
        assertThatThrownBy(() -> options().timeout(Duration.ofMillis(millis)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> options().startTimeout(Duration.ofMillis(millis)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void callbacksNeverOverlap() throws Exception {
        List<OutputSource> inside = new ArrayList<>();
        List<Integer> most = new ArrayList<>();
        PLAIN.run(
                        "for i in 1 2 3 4 5 6 7 8 9; do echo o; echo e >&2; done",
                        options().onLine((from, line) -> {
                            inside.add(from);
                            most.add(inside.size());
                            Thread.onSpinWait();
                            inside.clear();
                        }))
                .orThrow();
        assertThat(most).hasSize(18).containsOnly(1);
    }
}
