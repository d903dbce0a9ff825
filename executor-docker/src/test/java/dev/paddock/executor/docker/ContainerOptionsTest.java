package dev.paddock.executor.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.dockerjava.api.command.InspectContainerResponse;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.docker.source.OwnContainer;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests options of a managed container that a user names: its network, {@code /tmp}, one for each command. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ContainerOptionsTest {
    private Engine engine = TestEngine.get();

    @TempDir
    private Path directory;

    @BeforeEach
    void find() throws Exception {
        engine = TestEngine.withImage(TestEngine.BUSYBOX);
        directory = Files.createDirectory(directory.toRealPath().resolve("my shop\u00e9"));
    }

    private CommandExecutor open(NetworkPolicy network, Map<String, String> settings) {
        SandboxPolicy policy = SandboxPolicy.builder(new PathMapping(directory, "/work"))
                .network(network)
                .build();
        Map<String, String> all = new HashMap<>(settings);
        all.put("image", TestEngine.BUSYBOX);
        all.put("warmSlots", "0"); // each container runs few commands
        return new DockerProvider().create(policy, all);
    }

    private InspectContainerResponse inspect(CommandExecutor executor) {
        String id = ((DockerExecutor) executor).containerId().orElseThrow();
        return engine.call(client -> client.inspectContainerCmd(id).exec());
    }

    private List<String> containers() {
        return engine.call(client -> client.listContainersCmd().exec()).stream()
                .flatMap(each -> List.of(each.getNames()).stream())
                .filter(name -> name.startsWith("/paddock-my-shop"))
                .toList();
    }

    @Test
    void containerIsNamedAfterWorktree() throws Exception {
        try (CommandExecutor executor = open(NetworkPolicy.off(), Map.of())) {
            Runs.of(executor, "/work", ":");
            assertThat(inspect(executor).getName()).matches("/paddock-my-shop--[0-9a-f]{8}");
        }
    }

    /** Paddock in a container whose worktree has another path there than on the engine's machine. */
    @Test
    void engineSaysWhereDirectoryOfContainerIs() throws Exception {
        try (CommandExecutor executor = open(NetworkPolicy.off(), Map.of())) {
            Runs.of(executor, "/work", ":");
            String id = ((DockerExecutor) executor).containerId().orElseThrow();
            assertThat(OwnContainer.mismatch(engine, id, Path.of("/work")).orElseThrow())
                    .contains("'/work' is '" + directory + "' on the engine's machine");
            assertThat(OwnContainer.mismatch(engine, "0".repeat(64), Path.of("/work")))
                    .as("a container of another engine")
                    .isEmpty();
        }
    }

    @Test
    void networkOfEnginesIsUsedWhereNetworkIsOpen() throws Exception {
        assumeTrue(TestEngine.hasBridge(), "the engine has no networks");
        String name = "paddock-test-" + UUID.randomUUID();
        String id = engine.call(client -> client.createNetworkCmd()
                .withName(name)
                .withInternal(true)
                .exec()
                .getId());
        try {
            try (CommandExecutor executor = open(NetworkPolicy.open(), Map.of("network", name))) {
                Runs.of(executor, "/work", ":");
                assertThat(inspect(executor).getNetworkSettings().getNetworks()).containsOnlyKeys(name);
            }
            assertThatThrownBy(() -> open(NetworkPolicy.off(), Map.of("network", name)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is for containers with the network open");
        } finally {
            engine.call(client -> client.removeNetworkCmd(id).exec());
        }
        for (String forbidden : List.of("host", "none", "container:x", "default", "")) {
            assertThatThrownBy(() -> open(NetworkPolicy.open(), Map.of("network", forbidden)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not a network that a container can be connected to");
        }
    }

    @Test
    void tmpHasSizeAndKeepsProgramsFromBeingExecuted() throws Exception {
        String script =
                "df -k /tmp | tail -n 1 | awk '{print $2}'; cp /bin/busybox /tmp/echo && /tmp/echo ran 2>/dev/null";
        try (CommandExecutor executor = open(NetworkPolicy.off(), Map.of("tmp", "64m,noexec"))) {
            assertThat(Runs.of(executor, "/work", script).out()).isEqualTo("65536\n");
        }
        try (CommandExecutor executor = open(NetworkPolicy.off(), Map.of("tmp", "64m"))) {
            assertThat(Runs.of(executor, "/work", script).out()).isEqualTo("65536\nran\n");
        }
    }

    @Test
    void writableRootIsContainersOwn() throws Exception {
        assumeTrue(
                Integer.valueOf(0).equals(Files.getAttribute(directory, "unix:uid")), "the image's files are root's");
        String change = "echo changed >/etc/changed && rm /bin/wc && cat /etc/changed";
        try (CommandExecutor executor = open(NetworkPolicy.off(), Map.of("root", "writable"))) {
            assertThat(Runs.of(executor, "/work", change).out()).isEqualTo("changed\n");
            assertThat(Runs.of(executor, "/work", "cat /etc/changed").out())
                    .as("for the next command, too")
                    .isEqualTo("changed\n");
            assertThat(Runs.of(executor, "/work", "echo x 2>/dev/null >/proc/sys/kernel/hostname || echo no")
                            .out())
                    .as("the kernel's")
                    .isEqualTo("no\n");
            assertThat(executor.guarantees())
                    .as("commands may replace the shell that ends them")
                    .doesNotContain(Guarantee.TREE_KILL);
        }
        try (CommandExecutor executor = open(NetworkPolicy.off(), Map.of("root", "read-only"))) {
            assertThat(Runs.of(executor, "/work", "ls /etc/changed /bin/wc 2>/dev/null")
                            .out())
                    .as("the image is unchanged")
                    .isEqualTo("/bin/wc\n");
            assertThat(Runs.of(executor, "/work", "(" + change + ") 2>/dev/null")
                            .out())
                    .isEmpty();
            assertThat(executor.guarantees()).contains(Guarantee.TREE_KILL);
        }
        assertThatThrownBy(() -> new DockerProvider()
                        .create(
                                SandboxPolicy.builder(new PathMapping(directory, "/work"))
                                        .build(),
                                Map.of("container", "x", "root", "writable")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the container 'x' runs already, with its network");
    }

    @Test
    void containerThatRunsAlreadyTakesNoPolicyAndNoWorktree() {
        SandboxPolicy policy =
                SandboxPolicy.builder(new PathMapping(directory, "/work")).build();
        assertThatThrownBy(() ->
                        DockerExecutor.builder().container("x").policy(policy).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("leave the policy and the worktree out");
        assertThatThrownBy(() -> DockerExecutor.builder()
                        .container("x")
                        .worktree(directory)
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("leave the policy and the worktree out");
    }

    @Test
    void eachCommandHasContainerOfItsOwn() throws Exception {
        CommandExecutor executor = open(NetworkPolicy.off(), Map.of("freshPerCommand", "true"));
        assertThat(Runs.of(executor, "/work", "echo kept >file; echo lost >/tmp/file; cat /tmp/file")
                        .out())
                .isEqualTo("lost\n");
        assertThat(Runs.of(executor, "/work", "cat file; cat /tmp/file 2>/dev/null")
                        .out())
                .isEqualTo("kept\n");
        Awaitility.await("the removal that follows each end")
                .atMost(Duration.ofSeconds(20))
                .until(() -> containers().isEmpty());

        ProcessLike first = executor.spawn("echo up; exec sleep 600", SpawnOptions.in("/work"));
        ProcessLike second = executor.spawn("echo up; exec sleep 600", SpawnOptions.in("/work"));
        first.stdout().readNBytes(3);
        second.stdout().readNBytes(3);
        assertThat(containers()).hasSize(2);
        executor.dispose();
        assertThat(containers()).isEmpty();
        assertThat(first.onClosed().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(30));
        assertThatThrownBy(() -> executor.spawn(":", SpawnOptions.in("/work")))
                .isInstanceOf(ExecutorDisposedException.class);
    }
}
