package dev.paddock.executor.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.docker.container.ContainerRemoval;
import dev.paddock.executor.docker.container.ContainerState;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.docker.source.ContainerSweep;
import dev.paddock.executor.policy.ProtectedPaths;
import dev.paddock.executor.process.supervise.HostSweep;
import dev.paddock.executor.tck.jvm.OrdinaryUser;
import dev.paddock.executor.upkeep.SweepMode;
import dev.paddock.executor.worktree.WorktreeGuard;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the next session in a worktree, of any backend, settles nothing beside the container
 * of a session that was killed.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KilledSessionTest {
    private static final String WRITING = "trap '' HUP TERM; echo up; while :; do echo more > file; done";

    @TempDir
    Path directory;

    @TempDir
    Path quarantine;

    @TempDir
    Path state;

    private Engine engine;
    private String container = "";

    @BeforeEach
    void requireEngine() throws Exception {
        engine = TestEngine.withImage(TestEngine.BUSYBOX);
        directory = directory.toRealPath();
    }

    @AfterEach
    void remove() {
        if (!container.isEmpty()) {
            ContainerRemoval.of(engine, container);
        }
    }

    private Process started(String... by) throws Exception {
        Process owner = ContainerOwner.start(List.of(by), engine.where(), directory, WRITING);
        container = String.valueOf(owner.inputReader().readLine());
        assertThat(container).as("the container's id").matches("[0-9a-f]{64}");
        return owner;
    }

    private WorktreeGuard guard() {
        return WorktreeGuard.open(directory, ProtectedPaths.standard(), state, quarantine);
    }

    /** The container ends a moment after its JVM; the other session opens at once. */
    @Test
    void nextSessionOfAnotherBackendSettlesAfterContainersEnd() throws Exception {
        Process owner = started();
        try {
            assertThat(HostSweep.isRunning(container)).isTrue();
        } finally {
            owner.destroyForcibly().waitFor();
        }
        WorktreeGuard guard = guard();
        try (guard) {
            assertThat(HostSweep.isRunning(container)).as("the container runs").isFalse();
        }
    }

    /**
     * A frozen command writes on when it is thawed. Version 2 of the control groups lets it die; with
     * version 1 it dies when an executor of another test, which sweeps the engine, removes the container.
     */
    @Tag("full")
    @Test
    void pausedContainerIsEndedOrNextSessionIsRefused() throws Exception {
        Process owner = started();
        engine.call(client -> client.pauseContainerCmd(container).exec());
        owner.destroyForcibly().waitFor();
        Optional<String> refusal = refusal();
        if (refusal.isPresent()) {
            assertThat(refusal.get()).contains(container, "docker rm -f");
            ContainerRemoval.of(engine, container);
            assertThat(refusal()).isEmpty();
        }
    }

    @Tag("full")
    @Test
    void pausedContainerIsNamedAndRemovedBySweep() throws Exception {
        Process owner = started();
        engine.call(client -> client.pauseContainerCmd(container).exec());
        owner.destroyForcibly().waitFor();
        // an executor of another test, which sweeps as well, may be faster
        Awaitility.await("the sweep counts the owner as dead")
                .atMost(Duration.ofSeconds(30))
                .until(() -> isGone()
                        || ContainerSweep.of(engine, SweepMode.DRY_RUN).stream()
                                .anyMatch(line -> line.contains(container.substring(0, 12))));

        List<String> done = ContainerSweep.of(engine, SweepMode.REMOVE);

        assertThat(done).noneMatch(line -> line.contains("could not be removed"));
        assertThat(isGone()).isTrue();
    }

    private boolean isGone() {
        return ContainerState.of(engine, container).word().equals("absent");
    }

    /** Returns why a session cannot be opened; if it can, the container has ended before. */
    private Optional<String> refusal() {
        WorktreeGuard guard;
        try {
            guard = guard();
        } catch (ExecutorException refused) {
            return Optional.of(String.valueOf(refused.getMessage()));
        }
        try (guard) {
            assertThat(HostSweep.isRunning(container)).as("the container runs").isFalse();
        }
        return Optional.empty();
    }

    /** A JVM in a PID namespace of its own sees no process of the container, as with an engine elsewhere. */
    @Tag("full")
    @Test
    void containerOfAnotherProcessTableIsEndedByNextSessionOfItsEngine() throws Exception {
        OrdinaryUser.requireRoot("a PID namespace takes root");
        Process owner = started("unshare", "--pid", "--fork", "--mount-proc", "--kill-child");
        owner.destroyForcibly().waitFor();
        Awaitility.await("the journal counts the session as killed")
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThatThrownBy(this::guard).hasMessageContaining(container));

        try (DockerExecutor executor = DockerExecutor.builder()
                .image(TestEngine.BUSYBOX)
                .worktree(directory)
                .quarantine(quarantine)
                .build()) {
            assertThat(ContainerState.of(engine, container).word()).isEqualTo("absent");
            assertThat(Runs.of(executor, "/work", "echo works").out()).isEqualTo("works\n");
        }
    }
}
