package dev.paddock.executor.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.HostConfig;
import dev.paddock.executor.AbortController;
import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.docker.container.ContainerState;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.docker.engine.Exec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a command ends, and its container, although it stops every process that it can reach:
 * its slot, the control shell, and the engine's own process while that starts a warm slot, upon
 * which the engine's calls about the container do not return any more.
 */
@Tag("full")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileStopTest {
    /**
     * Stops the engine's processes and reports each; with {@code ALL} stops every other process but
     * itself; with {@code SHELL} kills the control shell after that, which the engine started too.
     */
    static final String STOP_ALL = """
            me=$$
            kill_shell() {
                [ SHELL = "$1" ] || return 0
                for s in /proc/[0-9]*; do
                    read -r name <"$s/comm"
                    while read -r key value; do [ "$key" != PPid: ] || parent=$value; done <"$s/status"
                    [ "$name $parent" != "sh 0" ] || kill -KILL "${s#/proc/}"
                done
                return 0
            }
            while :; do
                for p in /proc/[0-9]*; do
                    read -r name <"$p/comm"
                    case $name in runc*) kill -STOP "${p#/proc/}" && kill_shell "$1" && echo >>/work/stopped ;; esac
                    [ ALL != "$1" ] || [ "${p#/proc/}" = $me ] || kill -STOP "${p#/proc/}"
                done
            done 2>/dev/null
            """;

    /** Leaves a process that stops the control shell and all slots but its own, and ignores SIGTERM. */
    private static final String LEAVE_STOPPER = """
            parent() { while read -r key value; do [ "$key" != PPid: ] || echo "$value"; done <"/proc/$1/status"; }
            own=" "
            at=$$
            while [ "$at" != 0 ]; do own="$own$at " at=$(parent "$at"); done
            trap '' TERM
            while :; do
                for p in /proc/[0-9]*; do
                    pid=${p#/proc/}
                    case $own in *" $pid "*) continue ;; esac
                    read -r name <"$p/comm" || continue
                    [ "$name $(parent "$pid")" = "sh 0" ] && kill -STOP "$pid" && : >/work/stopped
                done
            done >/dev/null 2>&1 </dev/null &
            until [ -e /work/stopped ]; do sleep 0.1; done
            """;

    private static final SpawnOptions IN_WORK = SpawnOptions.in("/work");

    /** The abort's grace of 2 s, 2 s of silence, and the end of the container, which otherwise does not come. */
    private static final Duration BOUND = Duration.ofSeconds(10);

    @RegisterExtension
    static final OwnEngineExtension OWN = new OwnEngineExtension();

    private final OwnEngine own = OWN.engine();
    private final Engine engine = own.client();

    @TempDir
    Path directory;

    private DockerExecutor.Builder builder() {
        return DockerExecutor.builder().engine(own.host());
    }

    private static String stopping(boolean all) {
        return stopping(all ? "ALL" : "ENGINE");
    }

    private static String stopping(String mode) {
        return "set -- " + mode + "\n" + STOP_ALL;
    }

    /**
     * Waits until the command has stopped a process of the engine's. The engine's process is in the
     * container for some milliseconds only, and the executor's own may be gone before the command
     * searches for it; so the test lets the engine start others.
     */
    private void awaitStopped(String container) {
        Awaitility.await("the command has stopped a process of the engine's")
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(500))
                .until(() -> {
                    boolean stopped = Files.exists(directory.resolve("stopped"));
                    if (!stopped) {
                        Thread.ofVirtual().start(() -> startAnother(container));
                    }
                    return stopped;
                });
    }

    /** Starts a process as the user of the commands. Blocks for as long as the engine's process is stopped. */
    private void startAnother(String container) {
        try {
            String user = Files.getAttribute(directory, "unix:uid") + ":" + Files.getAttribute(directory, "unix:gid");
            Exec.start(engine, container, user, List.of("true")).close();
        } catch (IOException | ExecutorException ended) {
            // The container has been ended meanwhile, as it should be.
        }
    }

    private String word(String container) {
        return ContainerState.of(engine, container).word();
    }

    private void assertAbortEnds(boolean all) throws Exception {
        try (DockerExecutor executor =
                builder().image(TestEngine.BUSYBOX).worktree(directory).build()) {
            AbortController abort = new AbortController();
            ProcessLike process = executor.spawn(
                    stopping(all),
                    SpawnOptions.builder("/work").signal(abort.signal()).build());
            String container = executor.containerId().orElseThrow();
            awaitStopped(container);
            abort.abort("enough");
            ExitStatus status = process.onExit().toCompletableFuture().get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
            CleanupReport report =
                    process.onClosed().toCompletableFuture().get(BOUND.toMillis(), TimeUnit.MILLISECONDS);
            assertThat(status).isInstanceOf(ExitStatus.Signaled.class);
            if (all) {
                assertThat(report.notices()).anyMatch(notice -> notice.contains("The container was ended"));
                Awaitility.await("the container has been removed")
                        .atMost(BOUND)
                        .until(() -> word(container).equals("absent"));
            }
            Awaitility.await("usable again, in another container")
                    .pollInSameThread()
                    .atMost(Duration.ofSeconds(60))
                    .ignoreExceptionsInstanceOf(ExecutorException.class)
                    .until(() -> Runs.of(executor, "/work", "echo usable").out().equals("usable\n"));
        }
        assertThat(own.containers()).isEmpty();
    }

    @Test
    void abortEndsCommandThatStopsEverything() throws Exception {
        assertAbortEnds(true);
    }

    @Test
    void abortEndsCommandThatStopsEnginesProcesses() throws Exception {
        assertAbortEnds(false);
    }

    /** Otherwise the next command, which is innocent, would be lost with the container. */
    @Test
    void leftoversThatCannotBeEndedEndWithContainerBeforeAnotherCommand() throws Exception {
        try (DockerExecutor executor =
                builder().image(TestEngine.BUSYBOX).worktree(directory).build()) {
            ProcessLike process = executor.spawn(
                    LEAVE_STOPPER,
                    SpawnOptions.builder("/work")
                            .killGrace(Duration.ofMillis(100))
                            .build());
            String container = executor.containerId().orElseThrow();
            CleanupReport report = process.onClosed().toCompletableFuture().get(30, TimeUnit.SECONDS);
            assertThat(process.onExit().toCompletableFuture()).isCompletedWithValue(new ExitStatus.Exited(0));
            assertThat(report.notices()).anyMatch(notice -> notice.contains("The container was ended"));

            assertThat(Runs.of(executor, "/work", "echo innocent").out()).isEqualTo("innocent\n");
            assertThat(executor.containerId().orElseThrow()).isNotEqualTo(container);
        }
        assertThat(own.containers()).isEmpty();
    }

    @Test
    void killEndsCommandThatStopsEverything() throws Exception {
        try (DockerExecutor executor =
                builder().image(TestEngine.BUSYBOX).worktree(directory).build()) {
            ProcessLike process = executor.spawn(stopping(true), IN_WORK);
            awaitStopped(executor.containerId().orElseThrow());
            process.kill(Signal.KILL);
            assertThat(process.onExit().toCompletableFuture().get(BOUND.toMillis(), TimeUnit.MILLISECONDS))
                    .isInstanceOf(ExitStatus.Signaled.class);
        }
    }

    @Test
    void C11_disposalEndsCommandThatStopsEverything() throws Exception {
        try (DockerExecutor executor =
                builder().image(TestEngine.BUSYBOX).worktree(directory).build()) {
            executor.spawn(stopping(true), IN_WORK);
            awaitStopped(executor.containerId().orElseThrow());
            long begun = System.nanoTime();
            executor.dispose();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
        }
        assertThat(own.containers()).isEmpty();
    }

    /**
     * A process that the engine has started and that ends while another start is stopped lets the
     * engine's shim wait for a lock that every later call needs, also the one that closes the
     * attached input.
     */
    @Test
    void C12_containerOfKilledJvmEndsAlthoughEngineCannotReachIt() throws Exception {
        // The owner needs the processes that the command stops until it has printed the id.
        String command = "echo up; until [ -e /work/printed ]; do sleep 0.1; done; " + stopping("SHELL");
        Process owner = ContainerOwner.start(own.host(), directory, command);
        try {
            String container = owner.inputReader().readLine();
            assertThat(container).as("the container's id").isNotNull();
            Files.createFile(directory.resolve("printed"));
            awaitStopped(container);
            owner.destroyForcibly();
            Awaitility.await("the container of the killed JVM is removed")
                    .atMost(BOUND)
                    .ignoreExceptions()
                    .until(() -> word(container).equals("absent"));
        } finally {
            owner.destroyForcibly();
        }
    }

    /** The container is not Paddock's to end: its main process is a third party's. */
    @Test
    void attachedContainerThatCannotBeReachedIsNamed() throws Exception {
        String container = engine.call(client -> client.createContainerCmd(TestEngine.BUSYBOX)
                .withCmd("sh", "-c", "read x </work/end")
                .withHostConfig(HostConfig.newHostConfig()
                        .withNetworkMode("none")
                        .withAutoRemove(true)
                        .withBinds(Bind.parse(directory + ":/work")))
                .exec()
                .getId());
        assertThat(new ProcessBuilder("mkfifo", directory.resolve("end").toString())
                        .start()
                        .waitFor())
                .isZero();
        engine.call(client -> client.startContainerCmd(container).exec());
        DockerExecutor executor = builder().container(container).build();
        try {
            AbortController abort = new AbortController();
            ProcessLike process = executor.spawn(
                    "kill -STOP 1; " + stopping(true),
                    SpawnOptions.builder("/work").signal(abort.signal()).build());
            awaitStopped(container);
            abort.abort("enough");
            assertThatThrownBy(
                            () -> process.onExit().toCompletableFuture().get(BOUND.toMillis(), TimeUnit.MILLISECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(SandboxLostException.class)
                    .hasMessageContaining(container)
                    .hasMessageContaining("docker restart");
            long begun = System.nanoTime();
            executor.dispose();
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(30));
        } finally {
            Files.writeString(directory.resolve("end"), "\n");
            Awaitility.await("the container has ended by itself")
                    .atMost(Duration.ofSeconds(20))
                    .ignoreExceptions()
                    .until(() -> word(container).equals("absent"));
        }
    }
}
