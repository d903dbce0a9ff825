package dev.paddock.executor.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.fixtures.ClusterServers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** C15: tests the loss of a pod whose cluster's servers stop or die; the cluster is broken for others meanwhile. */
@Tag("full")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@NeedsCluster(servers = NeedsCluster.Use.ALONE)
class BrokenServersTest {
    @TempDir
    Path directory;

    private final LastingCommand lasting = new LastingCommand();
    private Path worktree;

    @BeforeEach
    void create() throws Exception {
        worktree = Files.createDirectories(directory.resolve("worktree"));
        Files.writeString(worktree.resolve("file"), "here\n");
    }

    @AfterEach
    void nothingIsLeft() {
        lasting.awaitEnd(Duration.ofSeconds(60));
        assertThat(worktree.resolve("file")).content().isEqualTo("here\n");
    }

    private KubernetesExecutor executor() {
        return TestCluster.synced(TestCluster.BUSYBOX, worktree)
                .quarantine(directory.resolve("quarantine"))
                .startTimeout(Duration.ofSeconds(20))
                .build();
    }

    private static ClusterServers servers() {
        Optional<ClusterServers> own = ClusterServers.own(TestCluster.kubeconfig());
        assumeTrue(own.isPresent(), "the cluster is not of this run of the tests: its servers may not be stopped");
        return own.orElseThrow();
    }

    private static void awaitGone(String... pods) {
        Awaitility.await("the pods are gone")
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(TestCluster.managedPods()).doesNotContain(pods));
    }

    @Test
    void C15_stoppedKubeletIsLoss() throws Exception {
        ClusterServers servers = servers();
        String first;
        try (KubernetesExecutor executor = executor()) {
            ProcessLike command = lasting.running(executor);
            first = executor.pod().orElseThrow();
            servers.stop("kubelet");
            try {
                LastingCommand.awaitLoss(command);
                assertThatThrownBy(() -> executor.spawn("true", SpawnOptions.in("/work")))
                        .isInstanceOfAny(SandboxLostException.class, SandboxUnavailableException.class);
            } finally {
                servers.go("kubelet");
            }
            LastingCommand.awaitUsable(executor);
        }
        awaitGone(first);
    }

    @Test
    void C15_killedApiServerIsLoss() throws Exception {
        ClusterServers servers = servers();
        String first;
        try (KubernetesExecutor executor = executor()) {
            ProcessLike command = lasting.running(executor);
            first = executor.pod().orElseThrow();
            ClusterServers.Killed killed = servers.kill("kube-apiserver");
            try {
                LastingCommand.awaitLoss(command);
                assertThatThrownBy(() -> executor.spawn("true", SpawnOptions.in("/work")))
                        .isInstanceOfAny(SandboxLostException.class, SandboxUnavailableException.class)
                        .hasMessageContaining("API server");
            } finally {
                servers.restart(killed);
            }
            LastingCommand.awaitUsable(executor);
        }
        awaitGone(first);
    }
}
