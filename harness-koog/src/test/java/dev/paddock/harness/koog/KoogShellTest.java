package dev.paddock.harness.koog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ai.koog.agents.ext.tool.shell.BraveModeConfirmationHandler;
import ai.koog.agents.ext.tool.shell.ExecuteShellCommandTool;
import ai.koog.agents.ext.tool.shell.ShellCommandExecutor.ExecutionResult;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.fixtures.SandboxTrial;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.EmptyCoroutineContext;
import kotlin.jvm.functions.Function2;
import kotlinx.coroutines.BuildersKt;
import kotlinx.coroutines.CoroutineScope;
import kotlinx.coroutines.CoroutineStart;
import kotlinx.coroutines.Dispatchers;
import kotlinx.coroutines.GlobalScope;
import kotlinx.coroutines.Job;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the shell in Koog's tool, and by itself, in coroutines. */
class KoogShellTest {
    @TempDir
    private Path worktree;

    private static ExecuteShellCommandTool tool(CommandExecutor executor) {
        return new ExecuteShellCommandTool(KoogShell.of(executor), new BraveModeConfirmationHandler());
    }

    private static ExecuteShellCommandTool.Result call(
            ExecuteShellCommandTool tool, String command, int seconds, @Nullable String directory)
            throws InterruptedException {
        return blocking((scope, completion) ->
                tool.execute(new ExecuteShellCommandTool.Args(command, seconds, directory), completion));
    }

    private static <T> T blocking(Function2<CoroutineScope, Continuation<? super T>, @Nullable Object> block)
            throws InterruptedException {
        return BuildersKt.runBlocking(EmptyCoroutineContext.INSTANCE, block);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock", "docker"})
    @Tag("full")
    void runsAndEndsCommands(String backend) throws Exception {
        try (SandboxTrial trial = SandboxTrial.of(backend, worktree)) {
            ExecuteShellCommandTool tool = tool(trial.executor());
            ExecuteShellCommandTool.Result result = call(tool, "echo out; echo err >&2; env; exit 3", 60, null);
            assertThat(result.getExitCode()).isEqualTo(3);
            assertThat(result.getOutput()).startsWith("out\nerr\n").doesNotContain(SandboxTrial.hostVariable());
            assertThat(call(tool, "pwd", 60, "/").getOutput()).isEqualTo("/");

            ExecuteShellCommandTool.Result late = call(tool, SandboxTrial.stubborn(), 1, null);
            assertThat(late.getExitCode()).isNull();
            assertThat(late.getOutput()).isEqualTo("started\nCommand timed out after 1 seconds");
            trial.awaitUp();
            trial.awaitDeath();
        }
    }

    /** A command in a coroutine of its own. */
    private record Running(Job job, CompletableFuture<@Nullable Throwable> ended) {
        static Running of(KoogShell shell, String command, int seconds) {
            CompletableFuture<@Nullable Throwable> ended = new CompletableFuture<>();
            Job job = BuildersKt.launch(
                    GlobalScope.INSTANCE,
                    EmptyCoroutineContext.INSTANCE,
                    CoroutineStart.DEFAULT,
                    (scope, completion) -> shell.execute(command, null, seconds, cast(completion)));
            job.invokeOnCompletion(cause -> {
                ended.complete(cause);
                return kotlin.Unit.INSTANCE;
            });
            return new Running(job, ended);
        }

        void cancel() {
            job.cancel(new CancellationException("no longer wanted"));
        }

        void requireCancelled() throws Exception {
            assertThat(ended.get(20, TimeUnit.SECONDS)).isInstanceOf(CancellationException.class);
        }
    }

    /** Returns a command that reports SIGTERM by a file, and that only SIGKILL ends. */
    private static String reporting() {
        return "trap 'touch termed' TERM; exec 9>alive; printf u >&9; while :; do sleep 1000; done";
    }

    private void awaitFile(String name) {
        await("the file " + name).atMost(Duration.ofSeconds(20)).until(() -> Files.exists(worktree.resolve(name)));
    }

    @ParameterizedTest
    @CsvSource({"bwrap, false", "bwrap, true", "landlock, false"})
    void cancelledCoroutineLeavesNoProcess(String backend, boolean isStubborn) throws Exception {
        requireCancelEnds(backend, isStubborn);
    }

    /** A kill of the client alone would leave the processes in the container. */
    @Tag("full")
    @Test
    void cancelReachesProcessesInContainer() throws Exception {
        requireCancelEnds("docker", true);
    }

    private void requireCancelEnds(String backend, boolean isStubborn) throws Exception {
        try (SandboxTrial trial = SandboxTrial.of(backend, worktree)) {
            String command = isStubborn ? SandboxTrial.stubborn() : SandboxTrial.endless();
            Running running = Running.of(KoogShell.of(trial.executor()), command, 60);
            trial.awaitUp();
            running.cancel();
            running.requireCancelled();
            trial.awaitDeath();
        }
    }

    @Test
    void cancelDuringGraceOfCancelEndsCommand() throws Exception {
        try (SandboxTrial trial = SandboxTrial.of("bwrap", worktree)) {
            Running running = Running.of(KoogShell.of(trial.executor()), reporting(), 60);
            trial.awaitUp();
            running.cancel();
            awaitFile("termed");
            running.cancel();
            running.requireCancelled();
            trial.awaitDeath();
        }
    }

    @Test
    void cancelDuringGraceOfTimeoutEndsCommand() throws Exception {
        try (SandboxTrial trial = SandboxTrial.of("bwrap", worktree)) {
            Running running = Running.of(KoogShell.of(trial.executor()), reporting(), 1);
            trial.awaitUp();
            awaitFile("termed");
            running.cancel();
            running.requireCancelled();
            trial.awaitDeath();
        }
    }

    @Test
    void coroutineCancelledWhileItWaitsForThreadRunsNothing() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch threads = new CountDownLatch(64); // as many as Dispatchers.IO has
        try (SandboxTrial trial = SandboxTrial.of("bwrap", worktree)) {
            List<Job> others = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                others.add(BuildersKt.launch(
                        GlobalScope.INSTANCE, Dispatchers.getIO(), CoroutineStart.DEFAULT, (scope, completion) -> {
                            threads.countDown();
                            try {
                                busy.await();
                            } catch (InterruptedException ended) {
                                Thread.currentThread().interrupt();
                            }
                            return kotlin.Unit.INSTANCE;
                        }));
            }
            assertThat(threads.await(20, TimeUnit.SECONDS)).isTrue();
            Running waiting = Running.of(KoogShell.of(trial.executor()), "touch made", 60);
            waiting.cancel();
            assertThat(others).allMatch(Job::isActive);
            busy.countDown();
            waiting.requireCancelled();
            assertThat(worktree.resolve("made")).doesNotExist();
        } finally {
            busy.countDown();
        }
    }

    @Test
    void cancelAfterEndChangesNothing() throws Exception {
        try (SandboxTrial trial = SandboxTrial.of("bwrap", worktree)) {
            KoogShell shell = KoogShell.of(trial.executor());
            Running running = Running.of(shell, "touch made", 60);
            assertThat(running.ended().get(20, TimeUnit.SECONDS)).isNull();
            running.cancel();
            assertThat(worktree.resolve("made")).exists();
            ExecutionResult next = blocking((scope, completion) -> shell.execute("echo next", null, 60, completion));
            assertThat(next.getOutput()).isEqualTo("next");
        }
    }

    @SuppressWarnings("unchecked")
    private static Continuation<ExecutionResult> cast(Continuation<?> completion) {
        return (Continuation<ExecutionResult>) completion; // of a coroutine whose result nobody reads
    }

    @Test
    void coroutineCancelledBeforeItsStartRunsNothing() throws Exception {
        try (SandboxTrial trial = SandboxTrial.of("bwrap", worktree)) {
            KoogShell shell = KoogShell.of(trial.executor());
            assertThatThrownBy(() -> KoogShellTest.<ExecutionResult>blocking((scope, completion) -> {
                        Job own = completion.getContext().get(Job.Key);
                        Objects.requireNonNull(own).cancel(new CancellationException("no longer wanted"));
                        return shell.execute("touch made", null, 60, completion);
                    }))
                    .isInstanceOf(CancellationException.class);
            assertThat(worktree.resolve("made")).doesNotExist();
        }
    }

    @Test
    void timesAndSizesAreBounded() throws Exception {
        try (SandboxTrial trial = SandboxTrial.of("bwrap", worktree)) {
            ExecuteShellCommandTool tool = tool(trial.executor());
            for (int none : new int[] {0, -1, Integer.MIN_VALUE}) {
                ExecuteShellCommandTool.Result late = call(tool, "touch made", none, null);
                assertThat(late.getExitCode()).isNull();
                assertThat(late.getOutput()).contains("timed out after " + none + " seconds; it was not started");
            }
            assertThat(worktree.resolve("made")).doesNotExist();
            for (int years : new int[] {31_536_000, Integer.MAX_VALUE}) {
                assertThat(call(tool, "echo ran", years, null).getOutput()).isEqualTo("ran");
            }
            assertThat(call(tool, "head -c 5000000 /dev/zero; echo last", 60, null)
                            .getOutput())
                    .hasSizeLessThan(1 << 17)
                    .contains("bytes left out")
                    .endsWith("last");
            for (String directory : new String[] {"/no/such", "relative"}) {
                ExecuteShellCommandTool.Result refused = call(tool, "true", 60, directory);
                assertThat(refused.getExitCode()).isNull();
                assertThat(refused.getOutput())
                        .startsWith("Failed to execute command")
                        .contains(directory);
            }
        }
    }

    @Test
    void pagesLinesAreTests() throws Exception {
        String sources = words(Files.readString(Path.of("src/test/java/dev/paddock/harness/koog/KoogShellTest.java")));
        assertThat(Pattern.compile("(?ms)^```java\\n(.*?)^```$")
                        .matcher(Files.readString(Path.of("..", "docs", "frameworks.md")))
                        .results()
                        .map(found -> found.group(1))
                        .filter(example -> example.contains("KoogShell")))
                .singleElement()
                .satisfies(example -> {
                    assertThat(example.lines()).hasSizeLessThanOrEqualTo(10);
                    assertThat(sources).contains(words(example));
                });
    }

    private static String words(String code) {
        return code.replaceAll("\\s+", " ").strip();
    }
}
