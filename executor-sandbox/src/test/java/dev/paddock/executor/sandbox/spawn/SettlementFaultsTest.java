package dev.paddock.executor.sandbox.spawn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.process.warm.CommandRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** C18: tests that a command closes, settled and with a notice, whatever fails around it. */
class SettlementFaultsTest extends SpawnerBench {
    private static final String PLANTS = "echo x > .envrc";

    @AfterEach
    void close() {
        spawner.close();
        guard.close();
    }

    private static StackOverflowError fault() {
        return new StackOverflowError("thrown by the test");
    }

    /** The faults outside the guard, each with a word of its notice. */
    enum Fault {
        THE_MAPPER_THROWS(
                "status",
                backend -> backend.mapper = status -> {
                    throw fault();
                }),
        THE_CLEANUP_THROWS("every process", backend -> backend.cleanup = Fault::fail),
        THE_CLOSE_THROWS("could not be closed", backend -> backend.closing = Fault::fail),
        THE_END_FAILS("every process", backend -> backend.end = CompletableFuture.failedStage(new Error("the test's"))),
        THE_CLOSE_IS_NOT_OBSERVED(
                "left could not be ended",
                backend -> backend.closes =
                        closed -> closed.thenCompose(report -> CompletableFuture.failedStage(fault())));

        private final String word;

        @SuppressWarnings("ImmutableEnumChecker") // the lambdas capture nothing
        private final Consumer<FakeBackend> inject;

        Fault(String word, Consumer<FakeBackend> inject) {
            this.word = word;
            this.inject = inject;
        }

        private static void fail() {
            throw fault();
        }
    }

    @ParameterizedTest
    @EnumSource
    void C18_faultIsNoticeAndWorktreeIsSettled(Fault fault) throws Exception {
        fault.inject.accept(backend);
        ProcessLike process = spawn(PLANTS);
        CleanupReport report = closed(process);
        assertThat(report.notices())
                .hasSize(2)
                .anySatisfy(notice -> assertThat(notice).contains(".envrc"))
                .anySatisfy(notice -> assertThat(notice).contains(fault.word));
        assertThat(worktree.resolve(".envrc")).doesNotExist();
        assertThat(process.onExit().toCompletableFuture()).isCompletedWithValue(new ExitStatus.Exited(0));
        assertThat(backend.phases).endsWith("close");
    }

    @Test
    void C18_faultOfGuardIsNotice() throws Exception {
        ProcessLike process = new FailingSettlement(spawn("exit 3")).followed();
        assertThat(closed(process).notices()).singleElement().asString().contains("could not be settled", "Check them");
        assertThat(process.onExit().toCompletableFuture()).isCompletedWithValue(new ExitStatus.Exited(3));
    }

    /** A command whose settlement throws; its slot has nothing to close. */
    private record FailingSettlement(ProcessLike command) {
        ProcessLike followed() {
            CommandSettlement settlement = new CommandSettlement() {
                @Override
                public List<String> examine(String survivors) {
                    throw fault();
                }

                @Override
                public List<String> settle() {
                    throw fault();
                }

                @Override
                public void postpone(List<String> notices) {}

                @Override
                public void close() {}
            };
            SandboxedProcess process = new SandboxedProcess(
                    command, new NoSlot(), StatusMapper.IDENTITY, Optional.empty(), settlement, Duration.ofSeconds(5));
            process.follow();
            return process;
        }
    }

    private static final class NoSlot implements WarmSlot {
        @Override
        public StatusMapper statusMapper() {
            return StatusMapper.IDENTITY;
        }

        @Override
        public ProcessLike release(CommandRequest request, SpawnOptions options) {
            throw new IllegalStateException("there is nothing to release");
        }

        @Override
        public void discard() {}
    }

    @Test
    void C18_processWhoseExitIsNotReportedClosesExceptionallyAndIsSettled() throws Exception {
        backend.exits = exit -> new CompletableFuture<>();
        within(new SandboxedSpawner.Bounds(Duration.ofSeconds(10), Duration.ofSeconds(1), Duration.ofMillis(200)));
        ProcessLike process = spawn(PLANTS);
        assertThatThrownBy(() -> closed(process))
                .hasCauseInstanceOf(ExecutorException.class)
                .hasMessageContaining("not reported");
        assertThat(worktree.resolve(".envrc")).doesNotExist();
    }

    @Test
    void C18_processWithoutCallbacksClosesExceptionallyAndIsSettled() {
        backend.exits = exit -> {
            throw fault();
        };
        backend.closes = closed -> {
            throw fault();
        };
        ProcessLike process = spawn("true");
        assertThatThrownBy(() -> closed(process))
                .hasCauseInstanceOf(ExecutorException.class)
                .hasMessageContaining("could not be observed");
        assertThat(process.onExit().toCompletableFuture()).isCompletedExceptionally();
    }

    /** An action that depends on the exit may wait for the close, and the reverse delays nothing. */
    @Test
    void C18_actionsMayWaitForOtherCallbacks() throws Exception {
        ProcessLike process = spawn("read x < '" + pipe() + "'; " + PLANTS);
        CompletableFuture<CleanupReport> seen = process.onExit()
                .thenApply(status -> process.onClosed().toCompletableFuture().join())
                .toCompletableFuture();
        CompletableFuture<ExitStatus> changed = process.onExit().toCompletableFuture();
        changed.complete(new ExitStatus.Exited(99));
        Files.writeString(directory.resolve("pipe"), "go\n");
        assertThat(seen.get(30, TimeUnit.SECONDS).notices()).hasSize(1);
        assertThat(process.onExit().toCompletableFuture())
                .as("the status, although a copy of the future was completed by the caller")
                .isCompletedWithValue(new ExitStatus.Exited(0));
    }

    private Path pipe() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        return pipe;
    }

    @Test
    void C18_sandboxThatFailsToBeDiscardedIsSettled() throws Exception {
        backend.breaks = true;
        backend.discarding = Fault::fail;
        assertThatThrownBy(() -> spawn("true")).isInstanceOf(StackOverflowError.class);
        assertNothingIsAttributedToTheCommand();
    }

    @Test
    void C18_discardedSandboxWhoseEndFailsIsSettled() throws Exception {
        backend.breaks = true;
        backend.end = CompletableFuture.failedStage(new Error("the test's"));
        assertThatThrownBy(() -> spawn("true")).isInstanceOf(SandboxLostException.class);
        assertNothingIsAttributedToTheCommand();
    }

    private void assertNothingIsAttributedToTheCommand() throws Exception {
        Files.writeString(worktree.resolve(".envrc"), "the user's");
        backend.breaks = false;
        backend.end = CompletableFuture.completedStage(true);
        assertThat(closed(spawn("true"))).isEqualTo(CleanupReport.NONE);
        assertThat(worktree.resolve(".envrc")).hasContent("the user's");
    }

    /** A mount of the host's makes a path that can be neither moved nor renamed. */
    @Test
    void poisonedWorktreeEndsEveryCommandAtOnce() throws Exception {
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "only root can mount");
        ProcessLike running = spawn("while :; do read x < '" + pipe() + "'; done");
        CompletableFuture<Boolean> mounted = new CompletableFuture<>();
        Path mount = worktree.resolve(".vscode");
        ProcessLike planting = spawn("mkdir .vscode; echo made; read x < '" + directory.resolve("pipe") + "'");
        try {
            assertThat(planting.stdout().readNBytes(5)).asString(UTF_8).isEqualTo("made\n");
            assertThat(new ProcessBuilder("mount", "-t", "tmpfs", "none", mount.toString())
                            .start()
                            .waitFor())
                    .isZero();
            mounted.complete(true);
            planting.kill(Signal.KILL);
            assertThat(closed(planting).notices())
                    .anySatisfy(notice -> assertThat(notice).contains(".vscode", "are ended"));
            assertThat(running.onExit().toCompletableFuture().get(30, TimeUnit.SECONDS))
                    .isInstanceOf(ExitStatus.Signaled.class);
            Awaitility.await("the other command has settled")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> running.onClosed().toCompletableFuture().isDone());
            assertThatThrownBy(() -> spawn("true"))
                    .isInstanceOf(SpawnException.class)
                    .hasMessageContaining(".vscode");
        } finally {
            if (mounted.isDone()) {
                new ProcessBuilder("umount", mount.toString()).start().waitFor();
            }
        }
    }
}
