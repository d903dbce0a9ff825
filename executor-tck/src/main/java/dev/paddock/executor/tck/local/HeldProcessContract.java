package dev.paddock.executor.tck.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.context.Processes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests an executor whose command leaves an unkillable process: frozen by a cgroup of
 * version 1, it dies of SIGKILL only when thawed, like a process blocked in a file system that does
 * not respond. The test writes the file that such a process would write in its last system call.
 *
 * @since 0.1
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class HeldProcessContract {
    private final String seconds = Integer.toString(
            ThreadLocalRandom.current().nextInt(100_000_000, 1_000_000_000)); // distinguishes the process

    @TempDir
    private Path temporary = Path.of("/");

    private Path directory = temporary;
    private Path worktree = temporary;

    /** Called by the implementer's class. */
    protected HeldProcessContract() {}

    /**
     * Creates an executor; the suite closes it.
     *
     * @param policy its policy
     * @param quarantine its quarantine
     * @return the executor
     * @throws Exception if it cannot be created
     */
    protected abstract CommandExecutor create(SandboxPolicy policy, Path quarantine) throws Exception;

    @BeforeEach
    final void makeWorktree() throws IOException {
        directory = temporary.toRealPath();
        worktree = Files.createDirectory(directory.resolve("tree"));
    }

    private CommandExecutor executor() throws Exception {
        return create(SandboxPolicy.builder(PathMapping.same(worktree)).build(), directory.resolve("quarantine"));
    }

    private ProcessLike spawn(CommandExecutor executor, String command) {
        return executor.spawn(
                command,
                SpawnOptions.builder(worktree.toString())
                        .killGrace(Duration.ZERO)
                        .build());
    }

    private static List<String> notices(ProcessLike process) throws Exception {
        return process.onClosed()
                .toCompletableFuture()
                .get(30, TimeUnit.SECONDS)
                .notices();
    }

    private void plant(String name) throws IOException {
        Files.writeString(worktree.resolve(name), "planted by an unkillable process");
    }

    private void awaitUndone(String name) {
        Awaitility.await(name + " is undone")
                .atMost(Duration.ofSeconds(30))
                .until(() -> Files.notExists(worktree.resolve(name)));
    }

    /** Starts a command with a background process, and freezes that. */
    private ProcessLike spawnHeld(CommandExecutor executor, Freezer freezer) throws IOException {
        ProcessLike process = spawn(executor, "sleep " + seconds + " & echo up; wait");
        BufferedReader output = new BufferedReader(new InputStreamReader(process.stdout(), StandardCharsets.UTF_8));
        assertThat(output.readLine()).isEqualTo("up");
        Awaitility.await("the background process")
                .atMost(Duration.ofSeconds(30))
                .until(() -> Processes.withArgument(seconds).stream()
                        .anyMatch(found -> found.info().command().orElse("").endsWith("sleep")));
        ProcessHandle held = Processes.withArgument(seconds).stream()
                .filter(found -> found.info().command().orElse("").endsWith("sleep"))
                .findFirst()
                .orElseThrow();
        freezer.freeze(held.pid());
        return process;
    }

    @Test
    final void worktreeIsExaminedUntilProcessHasEndedAndThen() throws Exception {
        try (Freezer freezer = Freezer.create();
                CommandExecutor executor = executor()) {
            ProcessLike process = spawnHeld(executor, freezer);
            plant(".envrc");
            process.kill(Signal.KILL);
            assertThat(notices(process))
                    .anySatisfy(notice -> assertThat(notice).contains("held by the kernel"))
                    .anySatisfy(notice -> assertThat(notice).contains(".envrc"));
            assertThat(worktree.resolve(".envrc")).doesNotExist();

            plant(".mcp.json");
            assertThat(notices(spawn(executor, "true")))
                    .anySatisfy(notice -> assertThat(notice).contains("earlier command"))
                    .anySatisfy(notice -> assertThat(notice).contains(".mcp.json"));
            assertThat(worktree.resolve(".mcp.json")).doesNotExist();

            plant(".npmrc");
            freezer.thaw();
            awaitUndone(".npmrc");
            Awaitility.await("the report")
                    .atMost(Duration.ofSeconds(30))
                    .untilAsserted(() -> assertThat(notices(spawn(executor, "true")))
                            .anySatisfy(notice -> assertThat(notice).contains(".npmrc")));
            plant(".envrc");
            assertThat(notices(spawn(executor, "true")))
                    .as("the user's own file")
                    .isEmpty();
        }
    }

    @Test
    final void disposalNamesProcessAndWorktreeIsSettledAtItsEnd() throws Exception {
        try (Freezer freezer = Freezer.create()) {
            CommandExecutor executor = executor();
            ProcessLike unused = spawnHeld(executor, freezer);
            assertThatThrownBy(executor::dispose)
                    .isInstanceOf(ExecutorException.class)
                    .hasMessageContaining(Long.toString(freezer.held()));
            plant(".envrc");
            freezer.thaw();
            awaitUndone(".envrc");
        }
    }

    @Test
    final void noCommandIsStartedBesideProcessOfKilledSession() throws Exception {
        try (Freezer freezer = Freezer.create()) {
            try (SessionJvm jvm = SessionJvm.start(getClass(), worktree, directory, "sleep " + seconds + " & wait")) {
                Awaitility.await("the background process")
                        .atMost(Duration.ofSeconds(30))
                        .until(() -> !held().isEmpty());
                freezer.freeze(held().get(0).pid());
                jvm.kill();
            }
            assertThatThrownBy(() -> executor().close())
                    .hasMessageContainingAll("was killed", "not exited after being killed");
            plant(".envrc");
            freezer.thaw();
            Awaitility.await("the end of the process")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> held().isEmpty());
            assertUndoneOrRefused(".envrc");
        }
    }

    private List<ProcessHandle> held() {
        return Processes.withArgument(seconds).stream()
                .filter(found -> found.info().command().orElse("").endsWith("sleep"))
                .toList();
    }

    /** All actions of a killed session's processes precede the recovery by the next session. */
    @Test
    final void killedSessionsProcessesEndBeforeWorktreeIsExamined() throws Exception {
        String plants = "touch " + seconds + "; setsid sh -c 'while :; do echo x > .envrc; done' & wait";
        try (SessionJvm jvm = SessionJvm.start(getClass(), worktree, directory, plants)) {
            Awaitility.await("the background process plants")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> Files.exists(worktree.resolve(".envrc")));
            jvm.kill();
        }
        assertUndoneOrRefused(".envrc");
    }

    /**
     * A change after the killed session's last heartbeat may be the user's: it stays, and no
     * command is started.
     */
    private void assertUndoneOrRefused(String name) throws Exception {
        try (CommandExecutor executor = executor()) {
            Fingerprint atTheOpening = Fingerprint.of(worktree.resolve(name));
            try {
                assertThat(notices(spawn(executor, "true")))
                        .anySatisfy(notice -> assertThat(notice).contains(name));
                assertThat(worktree.resolve(name)).doesNotExist();
            } catch (SpawnException refused) {
                assertThat(refused).hasMessageContaining(name);
            }
            Awaitility.await("nothing is planted later")
                    .atMost(Duration.ofSeconds(30))
                    .during(Duration.ofMillis(300))
                    .until(() -> Fingerprint.of(worktree.resolve(name)).equals(atTheOpening));
        }
    }

    /** The identity of a file and its last change. */
    private record Fingerprint(String state) {
        static Fingerprint of(Path file) throws IOException {
            return new Fingerprint(
                    Files.exists(file)
                            ? Files.readAttributes(file, "unix:ino,ctime").toString()
                            : "absent");
        }
    }
}
