package dev.paddock.executor.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CommandResult;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SpawnOptions;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests a worktree that is synchronized with a directory of a pod that somebody else has made. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@NeedsCluster
class SyncedAttachedPodTest {
    private static final long LOSS_BOUND_SECONDS = 5;

    @TempDir
    Path directory;

    @TempDir
    Path shared;

    private final String pod = "box-" + Long.toHexString(System.nanoTime());
    private Path worktree;

    @BeforeEach
    void create() throws Exception {
        worktree = Files.createDirectories(directory.resolve("worktree"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    /**
     * The container is started again when its first process ends, with the same {@code /tmp}. It has no directory of
     * the node: a kubelet may start it once more after the deletion, and then creates that directory anew.
     */
    private static Pod restarting(Pod made) {
        Volume tmp = new VolumeBuilder()
                .withName("tmp")
                .withNewEmptyDir()
                .endEmptyDir()
                .build();
        return new PodBuilder(made)
                .editSpec()
                .withRestartPolicy("Always")
                .withVolumes(tmp)
                .editContainer(0)
                .withCommand("sh", "-c", "mkfifo /wait; read x </wait")
                .withVolumeMounts(new VolumeMountBuilder()
                        .withName("tmp")
                        .withMountPath("/tmp")
                        .build())
                .endContainer()
                .endSpec()
                .build();
    }

    @AfterEach
    void delete() {
        TestCluster.delete(pod);
    }

    private KubernetesExecutor plain() {
        return KubernetesExecutor.builder()
                .kubeconfig(TestCluster.kubeconfig())
                .namespace(TestCluster.NAMESPACE)
                .pod(pod)
                .build();
    }

    private KubernetesExecutor executor() {
        return options("/project").build();
    }

    private KubernetesExecutorBuilder options(String there) {
        return KubernetesExecutor.builder()
                .kubeconfig(TestCluster.kubeconfig())
                .namespace(TestCluster.NAMESPACE)
                .pod(pod)
                .container(TestCluster.CONTAINER)
                .worktree(worktree)
                .remoteDirectory(there)
                .quarantine(directory.resolve("quarantine"));
    }

    private static CommandResult run(KubernetesExecutor executor, String command) throws Exception {
        return executor.run(command, RunOptions.in("/"));
    }

    @Test
    void bothSidesAreMergedAndPodsStays() throws Exception {
        TestCluster.start(pod, TestCluster.BUSYBOX, shared);
        try (KubernetesExecutor executor = options("/work").build()) {
            Files.writeString(shared.resolve("there"), "from there\n");
            Files.writeString(worktree.resolve("here"), "from here\n");
            assertThat(run(executor, "cat /work/here; echo made >/work/made").outText())
                    .isEqualTo("from here\n");
            assertThat(worktree.resolve("there")).content().isEqualTo("from there\n");
            assertThat(worktree.resolve("made")).content().isEqualTo("made\n");
        }
        assertThat(shared.resolve("here")).as("in the pod after disposal").exists();
        try (KubernetesExecutor plain = plain()) {
            assertThat(run(plain, "ls /tmp").outText())
                    .as("Paddock's own files there")
                    .isEmpty();
            assertThat(plain.worktree()).isEmpty();
        }
    }

    /** The container's own directory is empty then, but the list of the earlier run still exists. */
    @Tag("full")
    @Test
    void restartedContainerTakesNothingFromHost() throws Exception {
        TestCluster.start(pod, TestCluster.BUSYBOX, shared, SyncedAttachedPodTest::restarting);
        Files.writeString(worktree.resolve("file"), "here\n");
        try (KubernetesExecutor executor = executor()) {
            assertThat(run(executor, "cat /project/file").outText()).isEqualTo("here\n");
            ProcessLike last = executor.spawn("echo >/wait; sleep 100", SpawnOptions.in("/"));
            assertThatThrownBy(() -> last.onClosed().toCompletableFuture().get(LOSS_BOUND_SECONDS, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(SandboxLostException.class);
            CommandResult again = Awaitility.await("the restarted container serves commands")
                    .atMost(Duration.ofSeconds(60))
                    .ignoreExceptionsInstanceOf(ExecutorException.class)
                    .until(() -> run(executor, "cat /project/file"), any -> true);
            assertThat(again.outText()).isEqualTo("here\n");
            assertThat(worktree.resolve("file")).content().isEqualTo("here\n");
        }
    }

    @Tag("full")
    @Test
    void whatImageLacksIsNamed() throws Exception {
        TestCluster.start(pod, TestCluster.DEBIAN, shared);
        try (KubernetesExecutor plain = plain()) {
            CommandResult removal = run(plain, "rm /usr/bin/cmp /usr/bin/dd && echo done");
            assertThat(removal.outText())
                    .as(() -> removal.status() + ": " + removal.errText())
                    .isEqualTo("done\n");
        }
        try (KubernetesExecutor executor = executor()) {
            assertThatThrownBy(() -> run(executor, "true"))
                    .isInstanceOf(ExecutorException.class)
                    .hasMessageContaining("has no cmp dd");
        }
    }

    @Test
    void directoryWithoutWorktreeIsRefused() {
        assertThatThrownBy(() -> KubernetesExecutor.builder()
                        .pod(pod)
                        .remoteDirectory("/project")
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/project");
    }
}
