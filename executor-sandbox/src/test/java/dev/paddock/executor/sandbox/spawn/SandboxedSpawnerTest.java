package dev.paddock.executor.sandbox.spawn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.AbortedException;
import dev.paddock.executor.Availability;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.process.end.OffloadingFuture;
import dev.paddock.executor.process.supervise.Supervisor;
import dev.paddock.executor.worktree.WorktreeGuard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests the start sequence with a backend that confines nothing. */
@EnabledOnOs(OS.LINUX)
class SandboxedSpawnerTest {
    @TempDir
    private Path directory;

    private final List<AutoCloseable> opened = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // set before each test
    private FakeBackend backend;

    private Path worktree = Path.of("/");

    @BeforeEach
    void make() throws Exception {
        directory = directory.toRealPath();
        worktree = Files.createDirectory(directory.resolve("worktree"));
        Path state = Files.createDirectory(directory.resolve("state"));
        WorktreeGuard guard =
                WorktreeGuard.open(worktree, ProtectedPaths.standard(), state, directory.resolve("quarantine"));
        opened.add(guard);
        backend = new FakeBackend(Supervisor.create("spawner-test", false), guard);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable resource : opened.reversed()) {
            resource.close();
        }
    }

    private SandboxedSpawner<String> spawner(int warmSlots) {
        SandboxedSpawner<String> spawner = new SandboxedSpawner<>("test", "/bin/sh", warmSlots, backend);
        opened.add(spawner);
        return spawner;
    }

    private SpawnOptions options() {
        return SpawnOptions.builder(worktree.toString()).build();
    }

    private ProcessLike run(SandboxedSpawner<String> spawner, String command) {
        return spawner.spawn(command, options(), Map.of());
    }

    private static String output(ProcessLike process) throws IOException {
        return new String(process.stdout().readAllBytes(), UTF_8);
    }

    private static List<String> notices(ProcessLike process) throws Exception {
        return process.onClosed()
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS)
                .notices();
    }

    /**
     * Checks for the protected file, which exists only if the spawner ran a command without the
     * settlement that would quarantine it.
     */
    private void requireSettled() {
        assertThat(worktree.resolve(".envrc")).doesNotExist();
    }

    @Test
    void C14_sandboxWithOutdatedPlanIsReplaced() throws Exception {
        backend.rightPlan = "plan 2";
        ProcessLike process = run(spawner(0), "echo \"$PLAN\" | tee -a ran");
        assertThat(output(process)).isEqualTo("plan 2\n");
        assertThat(notices(process)).isEmpty();
        assertThat(backend.prepared).containsExactly("plan 1", "plan 2");
        assertThat(backend.discarded).hasValue(1);
        assertThat(worktree.resolve("ran")).hasContent("plan 2");
    }

    @Test
    void C14_plansThatKeepChangingRunNothing() {
        backend.rightPlan = "never";
        assertThatThrownBy(() -> run(spawner(0), "touch ran"))
                .isInstanceOf(ExecutorException.class)
                .hasMessageContaining("keep changing");
        assertThat(worktree.resolve("ran")).doesNotExist();
        assertThat(backend.discarded).hasValue(3);
    }

    /** As when another command removes a directory between the plan and the mount. */
    @Test
    void C14_sandboxThatCannotBeSetUpIsReplacedIfPlanHasChanged() throws Exception {
        backend.setUp = () -> {
            if (backend.prepared.size() == 1) {
                throw new SandboxUnavailableException("test", new Availability.Unusable("no such directory", "none"));
            }
        };

        assertThat(output(run(spawner(0), "echo done"))).isEqualTo("done\n");
        assertThat(backend.prepared).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void C14_sandboxThatCannotBeSetUpIsNotTriedAgainWithSamePlan() {
        backend.constantPlan = "plan";
        backend.setUp = () -> {
            throw new SandboxUnavailableException("test", new Availability.Unusable("no such directory", "none"));
        };

        assertThatThrownBy(() -> run(spawner(0), "true")).hasMessageContaining("no such directory");
        assertThat(backend.prepared).hasSize(1);
    }

    @Test
    void phasesFollowOneAnother() throws Exception {
        backend.constantPlan = "plan";
        ProcessLike process = run(spawner(0), "echo x > .envrc");
        assertThat(notices(process)).singleElement().asString().contains(".envrc");
        requireSettled();
        assertThat(backend.phases)
                .containsExactly(
                        "plan", "announce", "prepare", "check", "await", "mapper", "release", "await end", "close");
    }

    @Test
    void failedWarmSlotIsReplacedByColdSandboxAndNotPreparedAgainAtOnce() throws Exception {
        backend.constantPlan = "plan";
        SandboxedSpawner<String> spawner = spawner(1);
        assertThat(output(run(spawner, "echo cold"))).isEqualTo("cold\n");
        Awaitility.await("a warm slot waits").atMost(Duration.ofSeconds(30)).until(() -> spawner.waitingSlots() == 1);
        backend.slots.getLast().breakNow();
        assertThat(output(run(spawner, "echo after"))).isEqualTo("after\n");
        assertThat(backend.discarded).hasValue(1);
        assertThat(backend.prepared).hasSize(3);
        assertThat(output(run(spawner, "echo cold again"))).isEqualTo("cold again\n");
        assertThat(backend.prepared).hasSize(4);
    }

    @Test
    void coldSandboxThatFailsIsDiscardedAndSettled() {
        backend.constantPlan = "plan";
        backend.breaks = true;
        assertThatThrownBy(() -> run(spawner(0), "touch ran"))
                .isInstanceOf(SandboxLostException.class)
                .hasMessageContaining("did not take the command");
        assertThat(backend.discarded).hasValue(1);
        assertThat(backend.phases).endsWith("release", "discard", "await end");
    }

    @Test
    void coldSandboxThatMayTakeItsCommandLaterIsStartedAgain() throws Exception {
        backend.busy.set(2);
        assertThat(output(run(spawner(0), "echo here"))).isEqualTo("here\n");
        assertThat(backend.slots).hasSize(3);
        assertThat(backend.discarded).hasValue(2);
    }

    @Test
    void abortEndsAttemptsToStartSandbox() {
        AbortController controller = new AbortController();
        backend.busy.set(Integer.MAX_VALUE);
        backend.beforeRelease = () -> controller.abort("enough");
        assertThatThrownBy(() -> spawner(0)
                        .spawn(
                                "touch ran",
                                SpawnOptions.builder(worktree.toString())
                                        .signal(controller.signal())
                                        .build(),
                                Map.of()))
                .isInstanceOf(AbortedException.class);
        assertThat(worktree.resolve("ran")).doesNotExist();
        assertThat(backend.slots).hasSize(1);
    }

    @Test
    void commandThatCannotBeExecutedIsDiscardedAndSettled() throws Exception {
        backend.constantPlan = "plan";
        SandboxedSpawner<String> spawner = spawner(0);
        SpawnOptions elsewhere =
                SpawnOptions.builder(worktree.resolve("missing").toString()).build();
        assertThatThrownBy(() -> spawner.spawn("true", elsewhere, Map.of()))
                .isInstanceOf(SpawnException.class)
                .hasMessageContaining("does not exist");
        assertThat(backend.discarded).hasValue(1);
        // The guard does not attribute this file to the command that was never executed.
        Files.writeString(worktree.resolve(".envrc"), "the user's");
        ProcessLike next = run(spawner, "true");
        assertThat(notices(next)).isEmpty();
        assertThat(worktree.resolve(".envrc")).hasContent("the user's");
    }

    @Test
    void abortedSignalStartsNothing() {
        AbortController aborted = new AbortController();
        aborted.abort("test");
        SpawnOptions options = SpawnOptions.builder(worktree.toString())
                .signal(aborted.signal())
                .build();
        assertThatThrownBy(() -> spawner(0).spawn("touch ran", options, Map.of()))
                .isInstanceOf(AbortedException.class);
        assertThat(backend.phases).isEmpty();
    }

    @Test
    void failuresDuringDisposalAreReportedAsDisposal() {
        backend.constantPlan = "plan";
        SandboxedSpawner<String> spawner = spawner(0);
        backend.beforeRelease = spawner::close;
        Throwable fault = catchThrowable(() -> run(spawner, "touch ran"));
        assertThat(fault).isInstanceOf(ExecutorDisposedException.class);
        assertThat(fault.getSuppressed()).hasAtLeastOneElementOfType(SandboxLostException.class);
        assertThat(worktree.resolve("ran")).doesNotExist();
        assertThatThrownBy(() -> run(spawner, "true")).isInstanceOf(ExecutorDisposedException.class);
    }

    @Test
    void sandboxIsStartedWithVariablesThatSlotCannotPassExactly() throws Exception {
        backend.constantPlan = "plan";
        backend.inexact = "PECULIAR";
        SandboxedSpawner<String> spawner = spawner(1);
        SpawnOptions options = SpawnOptions.builder(worktree.toString())
                .env("PECULIAR", "from the start")
                .env("COMMON", "requested")
                .build();
        assertThat(output(spawner.spawn("echo \"$PECULIAR, $COMMON\"", options, Map.of())))
                .isEqualTo("from the start, requested\n");
        assertThat(backend.startedWith).containsExactly(Map.of("PECULIAR", "from the start"));
    }

    @Test
    void statusIsMappedAndLossIsReportedInstead() throws Exception {
        backend.constantPlan = "plan";
        backend.mapper = status -> new ExitStatus.Exited(status.code() + 1);
        SandboxedSpawner<String> spawner = spawner(0);
        assertThat(run(spawner, "exit 6").onExit().toCompletableFuture().get(30, TimeUnit.SECONDS))
                .isEqualTo(new ExitStatus.Exited(7));
        ProcessLike lost = run(spawner, "exec sleep 600");
        spawner.lose("the network has ended");
        assertThat(lost.onExit().toCompletableFuture())
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(SandboxLostException.class);
        assertThat(lost.onClosed().toCompletableFuture())
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(SandboxLostException.class);
    }

    @Test
    void lossIsReportedAtOnceAndItsCommandSettledWhenItsProcessesHaveEnded() throws Exception {
        CompletableFuture<Boolean> end = new CompletableFuture<>();
        backend.constantPlan = "plan";
        backend.end = end;
        ProcessLike process = run(spawner(0), "echo x > .envrc; echo written; exec sleep 600");
        assertThat(process.stdout().readNBytes(8)).asString(UTF_8).isEqualTo("written\n");
        backend.loss.completeExceptionally(new SandboxLostException("test", "the network has ended"));
        assertThat(process.onClosed().toCompletableFuture())
                .failsWithin(Duration.ofSeconds(30))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(SandboxLostException.class);
        assertThat(worktree.resolve(".envrc")).exists();
        end.complete(true);
        Awaitility.await("the worktree is settled")
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(this::requireSettled);
    }

    @Test
    void commandThatWasNotStartedIsSettledWhenItsSandboxHasEnded() throws Exception {
        CompletableFuture<Boolean> end = new CompletableFuture<>();
        backend.constantPlan = "plan";
        backend.breaks = true;
        backend.end = end;
        assertThatThrownBy(() -> run(spawner(0), "true")).isInstanceOf(SandboxLostException.class);
        Files.writeString(worktree.resolve(".envrc"), "written by a process that has not ended yet");
        end.complete(true);
        requireSettled();
    }

    @Test
    void treeThatHasEndedIsSettledWithoutAnotherThread() throws Exception {
        AtomicInteger dispatched = new AtomicInteger();
        OffloadingFuture<Boolean> end = new OffloadingFuture<>(action -> {
            dispatched.incrementAndGet();
            action.run();
        });
        end.complete(true);
        backend.constantPlan = "plan";
        backend.end = end;
        ProcessLike process = run(spawner(0), "true");
        process.onClosed().toCompletableFuture().get(30, TimeUnit.SECONDS);
        requireSettled();
        assertThat(dispatched).hasValue(0);
    }

    @Test
    void warmSlotThatHasEndedIsReplacedAndOthersArePreparedAtOnce() throws Exception {
        backend.constantPlan = "plan";
        SandboxedSpawner<String> spawner = spawner(1);
        spawner.prepare();
        Awaitility.await("a warm slot waits").atMost(Duration.ofSeconds(30)).until(() -> spawner.waitingSlots() == 1);
        backend.slots.getLast().endNow();
        assertThat(output(run(spawner, "echo cold"))).isEqualTo("cold\n");
        assertThat(backend.discarded).hasValue(1);
        Awaitility.await("another warm slot waits")
                .atMost(Duration.ofSeconds(30))
                .until(() -> spawner.waitingSlots() == 1);
    }

    @Test
    void disposalIsReasonForAbortThatCallerDidNotRequest() {
        backend.constantPlan = "plan";
        SandboxedSpawner<String> spawner = spawner(0);
        backend.beforeRelease = () -> {
            spawner.close();
            throw new AbortedException("aborted by disposal");
        };
        assertThatThrownBy(() -> run(spawner, "true")).isInstanceOf(ExecutorDisposedException.class);
    }
}
