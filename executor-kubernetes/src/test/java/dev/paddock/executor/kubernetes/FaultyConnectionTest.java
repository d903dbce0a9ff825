package dev.paddock.executor.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.ProcessLike;
import dev.paddock.fixtures.FaultyLink;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** C15: tests connections to the API server that are cut, or fall silent. */
@Tag("full")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@NeedsCluster
class FaultyConnectionTest {
    @TempDir
    Path directory;

    private final LastingCommand lasting = new LastingCommand();
    private Path worktree;
    private FaultyLink link;
    private Path kubeconfig;

    @BeforeEach
    void connect() throws Exception {
        worktree = Files.createDirectories(directory.resolve("worktree"));
        Files.writeString(worktree.resolve("file"), "here\n");
        link = FaultyLink.to(
                URI.create(TestCluster.client().getMasterUrl().toString()).getPort());
        kubeconfig = Files.writeString(
                directory.resolve("kubeconfig"),
                Files.readString(TestCluster.kubeconfig())
                        .replaceAll("127\\.0\\.0\\.1:\\d+", "127.0.0.1:" + link.port()));
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        link.close();
        lasting.awaitEnd(Duration.ofSeconds(60));
        assertThat(worktree.resolve("file")).content().isEqualTo("here\n");
    }

    private KubernetesExecutor executor() {
        return TestCluster.synced(TestCluster.BUSYBOX, worktree)
                .quarantine(directory.resolve("quarantine"))
                .kubeconfig(kubeconfig)
                .build();
    }

    private static void awaitGone(String pod) {
        Awaitility.await("the pod is gone")
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(TestCluster.managedPods()).doesNotContain(pod));
    }

    @Test
    void C15_cutConnectionIsLossAndPodEndsItself() throws Exception {
        String first;
        try (KubernetesExecutor executor = executor()) {
            ProcessLike command = lasting.running(executor);
            first = executor.pod().orElseThrow();
            link.cut();
            LastingCommand.awaitLoss(command);
            lasting.awaitEnd(Duration.ofSeconds(LastingCommand.LOSS_BOUND_SECONDS));
            LastingCommand.awaitUsable(executor);
        }
        awaitGone(first);
    }

    @Test
    void C15_silentConnectionIsLoss() throws Exception {
        String first;
        try (KubernetesExecutor executor = executor()) {
            ProcessLike command = lasting.running(executor);
            first = executor.pod().orElseThrow();
            link.stall();
            LastingCommand.awaitLoss(command);
            link.resume();
            LastingCommand.awaitUsable(executor);
        }
        awaitGone(first);
    }

    @Test
    void C15_silentConnectionToRunningPodIsLoss() throws Exception {
        String pod = "silent-" + Long.toHexString(System.nanoTime());
        TestCluster.start(pod, TestCluster.BUSYBOX, worktree);
        try (KubernetesExecutor executor = KubernetesExecutor.builder()
                .kubeconfig(kubeconfig)
                .namespace(TestCluster.NAMESPACE)
                .pod(pod)
                .container(TestCluster.CONTAINER)
                .build()) {
            ProcessLike command = lasting.running(executor);
            link.stall();
            LastingCommand.awaitLoss(command);
            link.resume();
            LastingCommand.awaitUsable(executor);
        } finally {
            TestCluster.delete(pod);
        }
    }
}
