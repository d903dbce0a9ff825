package dev.paddock.executor.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SandboxLostException;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.SweepMode;
import dev.paddock.executor.tck.subject.FaultyLink;
import dev.paddock.executor.tck.subject.HostSignals;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests C12 and C15: the cluster's servers, the connection to them, and this JVM's own death. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@NeedsCluster(alone = true)
class ClusterFaultsTest {
    private static final int LOSS_BOUND_SECONDS = 5;
    private static final String OTHER_NAMESPACE = "paddock-test-elsewhere";

    @TempDir
    Path directory;

    private Path worktree;
    private final String seconds = Long.toString(100_000 + System.nanoTime() % 100_000);

    @BeforeEach
    void create() throws Exception {
        worktree = Files.createDirectories(directory.resolve("worktree"));
        Files.writeString(worktree.resolve("file"), "here\n");
    }

    @AfterEach
    void nothingIsLeft() {
        awaitEndOfCommands(Duration.ofSeconds(60));
        assertThat(worktree.resolve("file")).content().isEqualTo("here\n");
    }

    /** The node is this machine. */
    private void awaitEndOfCommands(Duration bound) {
        Awaitility.await("no process of the commands is left")
                .atMost(bound)
                .until(() -> ProcessHandle.allProcesses()
                        .noneMatch(process -> List.of(process.info().arguments().orElse(new String[0]))
                                .contains(seconds)));
    }

    private KubernetesExecutor.Builder options() {
        return TestCluster.synced(TestCluster.BUSYBOX, worktree)
                .quarantine(directory.resolve("quarantine"))
                .startTimeout(Duration.ofSeconds(20));
    }

    private ProcessLike running(KubernetesExecutor executor) throws Exception {
        ProcessLike command =
                executor.spawn("echo up; sleep " + seconds + " & setsid sleep " + seconds, SpawnOptions.in("/work"));
        assertThat(command.stdout().readNBytes(3)).asString().isEqualTo("up\n");
        return command;
    }

    private static void awaitLoss(ProcessLike command) {
        assertThatThrownBy(() -> command.onExit().toCompletableFuture().get(LOSS_BOUND_SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(SandboxLostException.class);
    }

    private static void awaitUsable(KubernetesExecutor executor) {
        Awaitility.await("the executor is usable again")
                .atMost(Duration.ofSeconds(90))
                .pollInSameThread()
                .ignoreExceptionsInstanceOf(ExecutorException.class)
                .until(() -> executor.run("cat file", RunOptions.in("/work"))
                        .outText()
                        .equals("here\n"));
    }

    private static void awaitGone(String... pods) {
        Awaitility.await("the pods are gone")
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(TestCluster.managedPods()).doesNotContain(pods));
    }

    @Test
    void C15_aStoppedKubeletIsALoss() throws Exception {
        ClusterServers servers = ClusterServers.own();
        String first;
        try (KubernetesExecutor executor = options().build()) {
            ProcessLike command = running(executor);
            first = executor.pod().orElseThrow();
            servers.stop("kubelet");
            try {
                awaitLoss(command);
                assertThatThrownBy(() -> executor.spawn("true", SpawnOptions.in("/work")))
                        .isInstanceOfAny(SandboxLostException.class, SandboxUnavailableException.class);
            } finally {
                servers.go("kubelet");
            }
            awaitUsable(executor);
        }
        awaitGone(first);
    }

    @Test
    void C15_aKilledApiServerIsALoss() throws Exception {
        ClusterServers servers = ClusterServers.own();
        String first;
        try (KubernetesExecutor executor = options().build()) {
            ProcessLike command = running(executor);
            first = executor.pod().orElseThrow();
            ClusterServers.Killed killed = servers.kill("kube-apiserver");
            try {
                awaitLoss(command);
                assertThatThrownBy(() -> executor.spawn("true", SpawnOptions.in("/work")))
                        .isInstanceOfAny(SandboxLostException.class, SandboxUnavailableException.class)
                        .hasMessageContaining("API server");
            } finally {
                servers.restart(killed);
            }
            awaitUsable(executor);
        }
        awaitGone(first);
    }

    private KubernetesExecutor over(FaultyLink link) throws Exception {
        return options().kubeconfig(kubeconfig(link)).build();
    }

    private Path kubeconfig(FaultyLink link) throws Exception {
        Path kubeconfig = directory.resolve("kubeconfig");
        Files.writeString(
                kubeconfig,
                Files.readString(TestCluster.kubeconfig())
                        .replaceAll("127\\.0\\.0\\.1:\\d+", "127.0.0.1:" + link.port()));
        return kubeconfig;
    }

    private static FaultyLink link() throws Exception {
        return FaultyLink.to(
                URI.create(TestCluster.client().getMasterUrl().toString()).getPort());
    }

    @Test
    void C15_aCutConnectionIsALossAndThePodEndsItself() throws Exception {
        String first;
        try (FaultyLink link = link();
                KubernetesExecutor executor = over(link)) {
            ProcessLike command = running(executor);
            first = executor.pod().orElseThrow();
            link.cut();
            awaitLoss(command);
            awaitEndOfCommands(Duration.ofSeconds(LOSS_BOUND_SECONDS));
            awaitUsable(executor);
        }
        awaitGone(first);
    }

    @Test
    void C15_aSilentConnectionIsALoss() throws Exception {
        String first;
        try (FaultyLink link = link();
                KubernetesExecutor executor = over(link)) {
            ProcessLike command = running(executor);
            first = executor.pod().orElseThrow();
            link.stall();
            awaitLoss(command);
            link.resume();
            awaitUsable(executor);
        }
        awaitGone(first);
    }

    @Test
    void C15_aSilentConnectionToARunningPodIsALoss() throws Exception {
        String pod = "silent-" + seconds;
        TestCluster.start(pod, TestCluster.BUSYBOX, worktree);
        try (FaultyLink link = link();
                KubernetesExecutor executor = KubernetesExecutor.builder()
                        .kubeconfig(kubeconfig(link))
                        .namespace(TestCluster.NAMESPACE)
                        .pod(pod)
                        .container(TestCluster.CONTAINER)
                        .build()) {
            ProcessLike command = running(executor);
            link.stall();
            awaitLoss(command);
            link.resume();
            awaitUsable(executor);
        } finally {
            TestCluster.delete(pod);
        }
    }

    /** Starts another JVM that runs a command in a pod of its own, and ends with that command. */
    private Process session(String command, String namespace) throws Exception {
        String classPath =
                System.getProperty("java.class.path") + File.pathSeparator + System.getProperty("jdk.module.path", "");
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classPath,
                        PodSessionMain.class.getName(),
                        TestCluster.kubeconfig().toString(),
                        worktree.toString(),
                        command,
                        namespace)
                .redirectError(directory.resolve("messages").toFile())
                .start();
    }

    private String awaitPod(Process session) throws IOException {
        String pod = session.inputReader(StandardCharsets.UTF_8).readLine();
        assertThat(pod).as(() -> "the pod of the other JVM: " + messages()).startsWith("paddock-");
        return pod;
    }

    /** The pod has answered meanwhile. */
    @Test
    void C15_aJvmThatWasStoppedForSecondsHasNotLostItsPod() throws Exception {
        Process jvm = session("sleep 10", TestCluster.NAMESPACE);
        try {
            String unused = awaitPod(jvm);
            assertThat(HostSignals.send("STOP", jvm.pid())).isTrue();
            Awaitility.await("longer than a pod may be silent")
                    .pollDelay(Duration.ofSeconds(LOSS_BOUND_SECONDS))
                    .until(() -> true);
            assertThat(HostSignals.send("CONT", jvm.pid())).isTrue();
            assertThat(jvm.waitFor()).as(this::messages).isZero();
        } finally {
            jvm.destroyForcibly().waitFor();
        }
    }

    /** The sweep looks where the dead JVM has recorded that it had a pod, not in the current namespace alone. */
    @Test
    void C12_aKilledJvmLeavesAPodThatEndsItselfAndIsSwept() throws Exception {
        TestCluster.createNamespace(OTHER_NAMESPACE);
        Process jvm = session("sleep " + seconds + " & setsid sleep " + seconds, OTHER_NAMESPACE);
        String pod;
        try {
            pod = awaitPod(jvm);
        } finally {
            jvm.destroyForcibly().waitFor();
        }
        awaitEndOfCommands(Duration.ofSeconds(LOSS_BOUND_SECONDS));
        Awaitility.await("the pod has ended").atMost(Duration.ofSeconds(30)).until(() -> hasEnded(pod));
        assertThat(new KubernetesProvider().sweep(SweepMode.DRY_RUN))
                .anyMatch(line -> line.startsWith("would delete") && line.contains(pod));
        assertThat(pod(pod)).isPresent();
        assertThat(new KubernetesProvider().sweep(SweepMode.REMOVE)).anyMatch(line -> line.contains(pod));
        assertThat(pod(pod)).isEmpty();
        assertThat(new KubernetesProvider().sweep(SweepMode.DRY_RUN)).noneMatch(line -> line.contains(OTHER_NAMESPACE));
        TestCluster.deleteNamespace(OTHER_NAMESPACE);
    }

    private static Optional<Pod> pod(String name) {
        return Optional.ofNullable(TestCluster.client()
                .pods()
                .inNamespace(OTHER_NAMESPACE)
                .withName(name)
                .get());
    }

    private static boolean hasEnded(String name) {
        return pod(name)
                .filter(pod ->
                        List.of("Succeeded", "Failed").contains(pod.getStatus().getPhase()))
                .isPresent();
    }

    private String messages() {
        try {
            return Files.readString(directory.resolve("messages"));
        } catch (Exception none) {
            return none.toString();
        }
    }
}
