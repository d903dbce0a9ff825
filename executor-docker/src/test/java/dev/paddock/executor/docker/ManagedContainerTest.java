package dev.paddock.executor.docker;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.model.Event;
import com.github.dockerjava.core.DockerClientConfig;
import dev.paddock.executor.AbortController;
import dev.paddock.executor.ExitStatus;
import dev.paddock.executor.ExitStatus.Exited;
import dev.paddock.executor.ExitStatus.OutOfMemory;
import dev.paddock.executor.ExitStatus.Signaled;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.Signal;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.docker.container.ContainerState;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.docker.source.ManagedSettings;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.tck.jvm.OrdinaryUser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a managed container as the engine reports it and as it appears from inside. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ManagedContainerTest {
    private static final int UID = 12_345;
    private static final int GID = 12_346;

    /** Of the tests that leave the container as it is. */
    @AutoClose
    private static DockerExecutor shared;

    private Engine engine = TestEngine.get();

    @TempDir
    Path directory;

    @BeforeAll
    static void share(@TempDir Path worktree) throws Exception {
        TestEngine.withImage(TestEngine.BUSYBOX);
        shared = DockerExecutor.builder()
                .image(TestEngine.BUSYBOX)
                .worktree(worktree.toRealPath())
                .build();
    }

    @BeforeEach
    void find() throws Exception {
        engine = TestEngine.withImage(TestEngine.BUSYBOX);
        directory = directory.toRealPath();
    }

    private DockerExecutor executor() {
        return DockerExecutor.builder()
                .image(TestEngine.BUSYBOX)
                .worktree(directory)
                .build();
    }

    private DockerExecutor executor(ResourceLimits limits) {
        return limited(limits).build();
    }

    private DockerExecutor.Builder limited(ResourceLimits limits) {
        SandboxPolicy policy = SandboxPolicy.builder(new PathMapping(directory, "/work"))
                .limits(limits)
                .build();
        return DockerExecutor.builder().image(TestEngine.BUSYBOX).policy(policy);
    }

    private InspectContainerResponse inspect(DockerExecutor executor) {
        return engine.call(client ->
                client.inspectContainerCmd(executor.containerId().orElseThrow()).exec());
    }

    @Test
    void commandsSeeHardenedContainer() throws Exception {
        Runs seen = Runs.of(shared, "/work", """
                while read -r name value; do
                  case $name in CapEff:|CapBnd:|NoNewPrivs:|Seccomp:) echo "$name $value";; esac
                done </proc/self/status
                echo >/x || echo "root is read-only"
                echo 'echo from tmp' >/tmp/a && chmod +x /tmp/a && sh /tmp/a
                cd ~ && pwd && echo >b && echo "home is writable"
                grep -E ' (/tmp|/home/paddock) ' /proc/mounts | cut -d' ' -f2-4
                ls /sys/class/net
                """);
        assertThat(seen.out())
                .contains("CapEff: 0000000000000000", "CapBnd: 0000000000000000", "NoNewPrivs: 1", "Seccomp: 2")
                .contains("root is read-only", "from tmp", "/home/paddock\nhome is writable", "\nlo\n")
                .contains("/tmp tmpfs rw,nosuid,nodev", "/home/paddock tmpfs rw,nosuid,nodev")
                .doesNotContain("noexec", "eth0");
    }

    /**
     * Root without capabilities owns /dev: without this it could remove /dev/null, which every
     * other command uses.
     */
    @Test
    void devicesCanBeUsedAndNotReplaced() throws Exception {
        Runs seen = Runs.of(shared, "/work", """
                rm -f /dev/null && echo removed
                (: >/dev/nul) && echo written
                echo x >/dev/null && head -c 1 /dev/zero | wc -c && echo shared >/dev/shm/a && cat /dev/shm/a
                """);
        assertThat(seen.out()).endsWith("1\nshared\n").doesNotContain("removed", "written");
    }

    @Test
    void commandsRunAsOwnerOfWorktree() throws Exception {
        if (!OrdinaryUser.isAgain()) { // whose directory it is already
            Files.setAttribute(directory, "unix:uid", UID);
            Files.setAttribute(directory, "unix:gid", GID);
        }
        Object uid = Files.getAttribute(directory, "unix:uid");
        Object gid = Files.getAttribute(directory, "unix:gid");
        try (DockerExecutor executor = executor()) {
            Runs seen = Runs.of(executor, "/work", "id -u; id -g; echo made >file; echo ok >~/x && cat ~/x");
            assertThat(seen.out()).isEqualTo(uid + "\n" + gid + "\nok\n");
        }
        assertThat(Files.getAttribute(directory.resolve("file"), "unix:uid")).isEqualTo(uid);
        assertThat(Files.getAttribute(directory.resolve("file"), "unix:gid")).isEqualTo(gid);
    }

    @Test
    void C3_environmentValuesAndCommandsAreNotPublished() throws Exception {
        ConcurrentLinkedQueue<String> events = new ConcurrentLinkedQueue<>();
        ResultCallback.Adapter<Event> listening = engine.client().eventsCmd().exec(new ResultCallback.Adapter<>() {
            @Override
            public void onNext(Event event) {
                events.add(event.getRawValues() + " " + event);
            }
        });
        listening.awaitStarted();
        try (DockerExecutor executor = DockerExecutor.builder()
                .image(TestEngine.BUSYBOX)
                .worktree(directory)
                .env(Map.of("BASE", "canary-base"))
                .build()) {
            ProcessLike process = executor.spawn(
                    "echo canary-command $SECRET $BASE",
                    SpawnOptions.builder("/work").env("SECRET", "canary-value").build());
            assertThat(Runs.of(process).out()).isEqualTo("canary-command canary-value canary-base\n");
            String described = DockerClientConfig.getDefaultObjectMapper().writeValueAsString(inspect(executor));
            assertThat(described).doesNotContain("canary").contains(ManagedSettings.OWNER_LABEL);
            Awaitility.await("the engine reports the start of the exec")
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> events.stream().anyMatch(event -> event.contains("exec_start")));
            assertThat(events).noneMatch(event -> event.contains("canary"));
        } finally {
            listening.close();
        }
    }

    @Test
    void outOfMemoryIsReadFromKernelsCounter() throws Exception {
        long limit = 48L << 20;
        // No warm slots: one that starts beside the command may lack memory, too, and is not tried again.
        try (DockerExecutor executor =
                limited(ResourceLimits.none().withMemory(limit)).warmSlots(0).build()) {
            ExitStatus starved = Runs.of(executor, "/work", "x=xxxxxxxxxxxxxxxx; while :; do x=$x$x; done")
                    .status();
            assertThat(starved).isEqualTo(new OutOfMemory(OptionalLong.of(limit)));
            assertThat(Runs.of(executor, "/work", "kill -9 $$").status()).isEqualTo(new Signaled(Signal.KILL));
            assertThat(Runs.of(executor, "/work", "exit 137").status()).isEqualTo(new Signaled(Signal.KILL));
            assertThat(Runs.of(executor, "/work", "exit 1").status()).isEqualTo(new Exited(1));
        }
    }

    @Test
    void exitCodes126And127ArePassedThrough() throws Exception {
        assertThat(Runs.of(shared, "/work", "exit 126").status()).isEqualTo(new Exited(126));
        assertThat(Runs.of(shared, "/work", "no-such-program").status()).isEqualTo(new Exited(127));
    }

    @Test
    void containerSurvivesAbortedCommand() throws Exception {
        AbortController controller = new AbortController();
        ProcessLike process = shared.spawn(
                "trap '' TERM; (trap '' TERM; while :; do sleep 1; done) & echo up; while :; do sleep 1; done",
                SpawnOptions.builder("/work")
                        .signal(controller.signal())
                        .killGrace(Duration.ofMillis(100))
                        .build());
        String container = shared.containerId().orElseThrow();
        assertThat(process.stdout().read()).isEqualTo('u');
        controller.abort("enough");
        assertThat(Runs.of(process).status()).isEqualTo(new Signaled(Signal.KILL));
        assertThat(Runs.of(shared, "/work", "ps").out()).doesNotContain("while :; do sleep");
        assertThat(shared.containerId()).contains(container);
    }

    @Test
    void C9_forkBombIsEnded() throws Exception {
        try (DockerExecutor executor = executor(ResourceLimits.none().withProcesses(100))) {
            AbortController controller = new AbortController();
            ProcessLike process = executor.spawn(
                    "bomb() { bomb | bomb & }; (bomb) & while :; do :; done",
                    SpawnOptions.builder("/work")
                            .signal(controller.signal())
                            .killGrace(Duration.ZERO)
                            .stderr(SpawnOptions.Stderr.MERGED)
                            .build());
            process.stdout().read();
            controller.abort("enough");
            assertThat(Runs.of(process).status()).isEqualTo(new Signaled(Signal.KILL));
            assertThat(Runs.of(executor, "/work", "echo still here").out()).isEqualTo("still here\n");
        }
    }

    /** The bomb outlives its command's main process: it is ended with the command, or its container is. */
    @Test
    void C8_forkBombThatCommandLeavesHarmsNoLaterCommand() throws Exception {
        try (DockerExecutor executor = executor(ResourceLimits.none().withProcesses(30))) {
            for (int round = 0; round < 2; round++) {
                Runs.of(executor.spawn(
                        "bomb() { bomb | bomb & }; trap '' TERM; (bomb) >/dev/null 2>&1 & exit 0",
                        SpawnOptions.builder("/work")
                                .killGrace(Duration.ofMillis(100))
                                .build()));
                assertThat(Runs.of(executor, "/work", "echo innocent").out()).isEqualTo("innocent\n");
            }
        }
    }

    @Test
    void commandThatKillsAllItCanEndsItselfAndNotItsContainer() throws Exception {
        Runs.of(shared, "/work", "echo kept >/tmp/file");
        String container = shared.containerId().orElseThrow();
        ProcessLike process = shared.spawn(
                "read go; kill -9 -1; exit 3",
                SpawnOptions.builder("/work").stdin(SpawnOptions.Stdin.PIPE).build());
        WarmSlots.await(shared);
        process.stdin().close();
        assertThat(Runs.of(process).status()).isIn(new Signaled(Signal.KILL), new Exited(3));
        assertThat(Runs.of(shared, "/work", "cat /tmp/file").out()).isEqualTo("kept\n");
        assertThat(shared.containerId()).contains(container);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void protectedPathsAreRestoredAfterLossBeforeAnotherCommandOrAtDisposal(
            boolean anotherCommand, @TempDir Path quarantine) throws Exception {
        try (DockerExecutor executor = DockerExecutor.builder()
                .image(TestEngine.BUSYBOX)
                .worktree(directory)
                .quarantine(quarantine)
                .build()) {
            ProcessLike process =
                    executor.spawn("echo changed >.envrc; echo up; exec sleep 600", SpawnOptions.in("/work"));
            assertThat(process.stdout().readNBytes(3)).asString(US_ASCII).isEqualTo("up\n");
            WarmSlots.await(executor);
            engine.client()
                    .killContainerCmd(executor.containerId().orElseThrow())
                    .exec();
            assertThat(process.onClosed().toCompletableFuture())
                    .failsWithin(Duration.ofSeconds(30))
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(SandboxLostException.class);
            assertThat(directory.resolve(".envrc")).exists();
            if (anotherCommand) {
                assertThat(Runs.of(executor, "/work", "ls -A").out()).isEmpty();
            }
        }
        assertThat(directory.resolve(".envrc")).doesNotExist();
        assertThat(quarantine).isNotEmptyDirectory();
    }

    /** One container has them all: each in a mount's path of its own, and together in the worktree's. */
    @Test
    void everyCharacterOfWorktreePathIsLiteral() throws Exception {
        List<String> names =
                List.of("with space", "quo\"te's", "a,b", "a:b:ro", "new\nline", "\u00e9\ud83d\ude00", "$(x)`y`");
        String all = String.join("", names);
        Path worktree = Files.createDirectory(directory.resolve(all));
        SandboxPolicy.Builder policy = SandboxPolicy.builder(new PathMapping(worktree, "/work/" + all));
        for (String name : names) {
            Path data = Files.createDirectory(directory.resolve("data " + name));
            Files.writeString(data.resolve("file"), "data\n");
            policy.mount(new Mount(data, "/data/" + name, Mount.Access.READ_ONLY));
        }
        try (DockerExecutor executor = DockerExecutor.builder()
                .image(TestEngine.BUSYBOX)
                .policy(policy.build())
                .build()) {
            Runs seen = Runs.of(
                    executor,
                    "/work/" + all,
                    "echo made >file; for d in /data/*; do cat \"$d/file\"; (: >\"$d/new\") || echo no; done");
            assertThat(seen.out().lines().filter("data"::equals)).hasSize(names.size());
            assertThat(seen.out().lines().filter("no"::equals)).hasSize(names.size());
        }
        assertThat(worktree.resolve("file")).hasContent("made\n");
        for (String name : names) {
            assertThat(directory.resolve("data " + name + "/new")).doesNotExist();
        }
    }

    @Test
    void C11_disposalLeavesNoContainer() throws Exception {
        DockerExecutor executor = executor();
        Runs.of(executor, "/work", ":");
        String container = executor.containerId().orElseThrow();
        executor.dispose();
        assertThat(ContainerState.of(engine, container).word()).isEqualTo("absent");
        assertThatThrownBy(() -> executor.spawn(":", SpawnOptions.in("/work")))
                .isInstanceOf(dev.paddock.executor.ExecutorDisposedException.class);
    }

    @Test
    void extraOptionTakesEffect() throws Exception {
        try (DockerExecutor executor = DockerExecutor.builder()
                .image(TestEngine.BUSYBOX)
                .worktree(directory)
                .options(List.of("--tmpfs", "/scratch:size=1m"))
                .build()) {
            assertThat(Runs.of(executor, "/scratch", "echo ok >x && cat x").out())
                    .isEqualTo("ok\n");
        }
    }
}
