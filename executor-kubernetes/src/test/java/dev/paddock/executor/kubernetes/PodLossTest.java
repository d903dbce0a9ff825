package dev.paddock.executor.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests what a command does to its pod, and pods that do not start. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@NeedsCluster
class PodLossTest {
    @TempDir
    Path directory;

    @TempDir
    Path quarantine;

    private KubernetesExecutorBuilder options;

    @BeforeEach
    void options() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        options = TestCluster.managed(TestCluster.BUSYBOX, directory)
                .quarantine(quarantine)
                .warmSlots(0);
    }

    private static void requireUsable(KubernetesExecutor executor) throws Exception {
        assertThat(executor.run("echo works", RunOptions.in("/work")).outText()).isEqualTo("works\n");
    }

    /** Commands run as the user of the pod's main process, which is the first of its namespace. */
    @Test
    void commandCannotEndPod() throws Exception {
        try (KubernetesExecutor executor = options.build()) {
            requireUsable(executor);
            String pod = executor.pod().orElseThrow();
            executor.run("kill -KILL 1; kill -STOP 1; kill -TERM 1; kill -HUP 1; kill -INT 1", RunOptions.in("/work"));
            requireUsable(executor);
            assertThat(executor.pod()).contains(pod);
        }
    }

    @Tag("full")
    @Test
    void imageThatIsNotThereIsNamed() throws Exception {
        try (KubernetesExecutor executor =
                options.image("paddock-test/none:none").build()) {
            assertThatThrownBy(() -> executor.spawn("true", SpawnOptions.in("/work")))
                    .isInstanceOf(SandboxUnavailableException.class)
                    .hasMessageContaining("paddock-test/none:none");
        }
    }

    @Tag("full")
    @Test
    void podThatIsNotScheduledIsReportedWithReason() throws Exception {
        options.nodeSelector("no-such-label", "x").startTimeout(Duration.ofSeconds(8));
        try (KubernetesExecutor executor = options.build()) {
            assertThatThrownBy(() -> executor.spawn("true", SpawnOptions.in("/work")))
                    .isInstanceOf(SandboxUnavailableException.class)
                    .hasMessageContaining("node selector");
        }
    }

    @Test
    void anotherDirectoryIsNoWorktree(@TempDir Path other) throws Exception {
        options.worktreeHostPath(other.toString());
        try (KubernetesExecutor executor = options.build()) {
            assertThatThrownBy(() -> executor.spawn("true", SpawnOptions.in("/work")))
                    .isInstanceOf(SandboxUnavailableException.class)
                    .hasMessageContaining("is not the worktree");
        }
    }
}
