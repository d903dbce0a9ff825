package dev.paddock.executor.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Mount;
import com.github.dockerjava.api.model.MountType;
import dev.paddock.executor.Availability;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.docker.container.ContainerRemoval;
import dev.paddock.executor.docker.container.ContainerState;
import dev.paddock.executor.docker.engine.HijackedConnection;
import dev.paddock.executor.upkeep.SweepMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** C15: tests what happens to commands when their container or their engine is lost. */
@Tag("full")
@Timeout(value = 180, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LossTest {
    /** A file that grows as long as the command runs, visible from outside. */
    private static final String ALIVE = "alive";

    private static final String COMMAND = "echo up; while :; do echo >>" + ALIVE + "; sleep 0.1; done";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final long BOUND_SECONDS = 5;
    private static final long MEMORY = 32L << 20;

    @RegisterExtension
    static final OwnEngineExtension OWN = new OwnEngineExtension();

    private final OwnEngine own = OWN.engine();

    @TempDir
    Path directory;

    @BeforeEach
    void resolveTheDirectory() throws IOException {
        directory = directory.toRealPath();
    }

    /**
     * Removes the containers that a failed test has left, so that they do not affect the next one.
     */
    @AfterEach
    void removeContainers() {
        own.containers().forEach(container -> ContainerRemoval.of(own.client(), container));
    }

    private DockerExecutor managed() {
        return DockerExecutor.builder()
                .engine(own.host())
                .image(TestEngine.BUSYBOX)
                .worktree(directory)
                .build();
    }

    private DockerExecutor attached(String container) {
        return DockerExecutor.builder().engine(own.host()).container(container).build();
    }

    /** Starts a container, as a third party might, that still exists after it has stopped. */
    private String lasting(String main, HostConfig host) {
        host.withNetworkMode("none")
                .withMounts(List.of(new Mount()
                        .withType(MountType.BIND)
                        .withSource(directory.toString())
                        .withTarget("/work")));
        String id = own.client().call(client -> {
            CreateContainerCmd request = client.createContainerCmd(TestEngine.BUSYBOX)
                    .withCmd("sh", "-c", main)
                    .withStdinOpen(true)
                    .withHostConfig(host);
            return request.exec().getId();
        });
        engine((client, container) -> client.startContainerCmd(container).exec(), id);
        return id;
    }

    private void engine(BiConsumer<DockerClient, String> action, String container) {
        own.client().call(client -> {
            action.accept(client, container);
            return true;
        });
    }

    private static void awaitSlots(DockerExecutor executor) throws Exception {
        Runs.of(executor, "/work", ":");
        WarmSlots.await(executor);
    }

    private static ProcessLike running(DockerExecutor executor) throws Exception {
        ProcessLike process = executor.spawn(COMMAND, SpawnOptions.in("/work"));
        assertThat(process.stdout().readNBytes(3)).isEqualTo("up\n".getBytes(StandardCharsets.US_ASCII));
        WarmSlots.await(executor);
        return process;
    }

    private static void awaitLoss(ProcessLike process) {
        assertThatThrownBy(() -> process.onExit().toCompletableFuture().get(BOUND_SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(SandboxLostException.class);
    }

    private void awaitUsable(DockerExecutor executor) throws Exception {
        Awaitility.await("usable again")
                .pollInSameThread()
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(ExecutorException.class)
                .until(() -> Runs.of(executor, "/work", "echo back").out().equals("back\n"));
        long before = aliveBytes();
        Runs.of(executor, "/work", "sleep 0.5");
        assertThat(aliveBytes())
                .as("bytes that the lost command wrote afterwards")
                .isEqualTo(before);
    }

    private long aliveBytes() {
        try {
            return Files.exists(directory.resolve(ALIVE)) ? Files.size(directory.resolve(ALIVE)) : 0;
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    @Test
    void engineIsStoppedBetweenCommandsAndStartedAgain() throws Exception {
        try (DockerExecutor executor = managed()) {
            awaitSlots(executor);
            own.stop();
            Awaitility.await("reported as unavailable, once the loss has been detected")
                    .atMost(Duration.ofSeconds(BOUND_SECONDS))
                    .untilAsserted(() -> assertThatThrownBy(() -> executor.spawn(COMMAND, SpawnOptions.in("/work")))
                            .isInstanceOf(SandboxUnavailableException.class));
            own.restart();
            awaitUsable(executor);
        }
        assertThat(own.containers()).isEmpty();
    }

    @Test
    void engineIsKilledDuringCommandAndStartedAgain() throws Exception {
        try (DockerExecutor executor = managed()) {
            ProcessLike process = running(executor);
            own.kill();
            awaitLoss(process);
            assertThatThrownBy(() -> executor.spawn(COMMAND, SpawnOptions.in("/work")))
                    .isInstanceOf(ExecutorException.class);
            own.restart();
            awaitUsable(executor);
        }
        assertThat(own.containers()).isEmpty();
    }

    /** Runs an action beside others, and returns how long it takes. */
    private static CompletableFuture<Duration> timed(Runnable action) {
        long begun = System.nanoTime();
        return CompletableFuture.supplyAsync(
                () -> {
                    action.run();
                    return Duration.ofNanos(System.nanoTime() - begun);
                },
                Thread::startVirtualThread);
    }

    @Test
    void everyCallToFrozenEngineIsBounded() throws Exception {
        System.setProperty("DOCKER_HOST", own.host()); // for the provider
        try (DockerExecutor executor = managed()) {
            ProcessLike process = running(executor);
            DockerExecutor used = managed();
            used.spawn("sleep 1000", SpawnOptions.in("/work"));
            DockerExecutor unused = managed();
            own.signal("STOP");
            try {
                // The request reaches the engine, which will deliver it when it resumes.
                CompletableFuture<Duration> next =
                        timed(() -> assertThatThrownBy(() -> executor.spawn(COMMAND, SpawnOptions.in("/work")))
                                .isInstanceOf(SandboxLostException.class)
                                .hasMessageContaining("10 s"));
                CompletableFuture<Duration> probe = timed(() -> assertThat(new DockerProvider().probe())
                        .isInstanceOfSatisfying(
                                Availability.Unusable.class,
                                unusable -> assertThat(unusable.reason()).contains(own.host(), "5 s")));
                CompletableFuture<Duration> sweep = timed(() -> assertThat(new DockerProvider().sweep(SweepMode.REMOVE))
                        .anyMatch(phrase -> phrase.contains(own.host()) && phrase.contains("did not answer")));
                CompletableFuture<Duration> start =
                        timed(() -> assertThatThrownBy(() -> unused.spawn("true", SpawnOptions.in("/work")))
                                .isInstanceOf(SandboxUnavailableException.class)
                                .hasMessageContaining(own.host())
                                .hasMessageContaining("silent")
                                .hasMessageContaining("10 s"));
                CompletableFuture<Duration> disposal =
                        timed(() -> assertThatThrownBy(used::dispose) // with the worktree settled or not
                                .isInstanceOf(ExecutorException.class)
                                .hasMessageContaining(used.containerId().orElseThrow()));
                assertThat(probe.join()).as("the probe").isLessThan(Duration.ofSeconds(30));
                assertThat(sweep.join()).as("the sweep").isLessThan(Duration.ofSeconds(30));
                assertThat(disposal.join()).as("disposal with a command").isLessThan(Duration.ofSeconds(30));
                assertThat(start.join()).as("the start").isLessThan(Duration.ofSeconds(30));
                assertThat(next.join()).as("the next command").isLessThan(Duration.ofSeconds(30));
                assertThat(timed(unused::dispose).join()).as("disposal").isLessThan(Duration.ofSeconds(30));
                awaitLoss(process);
            } finally {
                own.signal("CONT");
            }
            awaitUsable(executor);
        } finally {
            System.clearProperty("DOCKER_HOST");
        }
    }

    @Test
    void C11_disposalWithoutEngineReportsContainer() throws Exception {
        DockerExecutor executor = managed();
        ProcessLike process = running(executor);
        own.kill();
        awaitLoss(process);
        assertThatThrownBy(executor::dispose)
                .isInstanceOf(ContainerRemoval.ContainerLeft.class)
                .hasMessageContaining(executor.containerId().orElseThrow())
                .hasMessageContaining("paddock gc");
        own.restart();
        Awaitility.await("removed by the engine")
                .atMost(PATIENCE)
                .until(() -> own.containers().isEmpty());
    }

    /** The faults of a container while no command runs in it; the engine removes one that has ended. */
    enum Fault {
        KILLED,
        PAUSED;

        void inflict(DockerClient client, String id) {
            switch (this) {
                case KILLED -> client.killContainerCmd(id).exec();
                case PAUSED -> client.pauseContainerCmd(id).exec();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void managedContainerIsLostBetweenCommands(Fault fault) throws Exception {
        try (DockerExecutor executor = managed()) {
            Runs.of(executor, "/work", "echo kept >/tmp/file");
            awaitSlots(executor);
            String container = executor.containerId().orElseThrow();
            engine(fault::inflict, container);
            if (fault == Fault.PAUSED) {
                Awaitility.await("reported as paused, once the loss has been detected")
                        .atMost(Duration.ofSeconds(BOUND_SECONDS))
                        .untilAsserted(() -> assertThatThrownBy(() -> executor.spawn("true", SpawnOptions.in("/work")))
                                .isInstanceOf(SandboxUnavailableException.class)
                                .hasMessageContaining("docker unpause"));
                engine((client, id) -> client.unpauseContainerCmd(id).exec(), container);
            }
            awaitUsable(executor);
            assertThat(Runs.of(executor, "/work", "cat /tmp/file").out().equals("kept\n"))
                    .as("the same container")
                    .isEqualTo(fault == Fault.PAUSED)
                    .isEqualTo(executor.containerId().orElseThrow().equals(container));
        }
        assertThat(own.containers()).isEmpty();
    }

    @Test
    void attachedContainerIsStoppedAndStartedAgain() throws Exception {
        String container = lasting("read x", HostConfig.newHostConfig());
        try (DockerExecutor executor = attached(container)) {
            for (int round = 0; round < 2; round++) {
                ProcessLike process = running(executor);
                engine(
                        (client, id) ->
                                client.stopContainerCmd(id).withTimeout(0).exec(),
                        container);
                awaitLoss(process);
                assertThatThrownBy(() -> executor.spawn("true", SpawnOptions.in("/work")))
                        .isInstanceOf(SandboxUnavailableException.class)
                        .hasMessageContaining("docker start");
                engine((client, id) -> client.startContainerCmd(id).exec(), container);
                awaitUsable(executor);
            }
        }
        assertThat(own.containers()).containsExactly(container);
    }

    @Test
    void firstProcessIsKilledForLackOfMemory() throws Exception {
        String container = lasting(
                "read x; x=xxxxxxxxxxxxxxxx; while :; do x=$x$x; done",
                HostConfig.newHostConfig().withMemory(MEMORY).withMemorySwap(MEMORY));
        try (DockerExecutor executor = attached(container);
                HijackedConnection input = HijackedConnection.attach(own.client(), container)) {
            ProcessLike process = running(executor);
            input.output().write('\n');
            Awaitility.await("the process grows until it is killed")
                    .atMost(PATIENCE)
                    .until(() -> process.onExit().toCompletableFuture().isDone());
            awaitLoss(process);
            // The commands end before the engine has noticed that the container has exited.
            Awaitility.await("the container has exited")
                    .atMost(PATIENCE)
                    .until(() ->
                            ContainerState.of(own.client(), container).word().equals("exited"));
            assertThatThrownBy(() -> executor.spawn("true", SpawnOptions.in("/work")))
                    .isInstanceOf(SandboxUnavailableException.class)
                    .hasMessageContaining("lack of memory");
            engine((client, id) -> client.startContainerCmd(id).exec(), container);
            awaitUsable(executor);
        }
    }
}
