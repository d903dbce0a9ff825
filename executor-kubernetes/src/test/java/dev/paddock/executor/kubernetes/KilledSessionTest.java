package dev.paddock.executor.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.tck.subject.HostSignals;
import dev.paddock.executor.upkeep.SweepMode;
import dev.paddock.fixtures.SandboxController;
import dev.paddock.fixtures.SandboxController.Behaviour;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests what a JVM that is killed or stopped leaves on a cluster, and who removes it. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@NeedsCluster(sandboxes = NeedsCluster.Use.SHARED)
class KilledSessionTest {
    private static final String OTHER_NAMESPACE = "paddock-test-elsewhere";

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

    /** Starts another JVM that runs a command in a pod of its own, and ends with that command. */
    private Process session(String command, String namespace, String... claim) throws Exception {
        String classPath =
                System.getProperty("java.class.path") + File.pathSeparator + System.getProperty("jdk.module.path", "");
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                classPath,
                PodSessionMain.class.getName(),
                TestCluster.kubeconfig().toString(),
                worktree.toString(),
                command,
                namespace));
        words.addAll(List.of(claim));
        return new ProcessBuilder(words)
                .redirectError(directory.resolve("messages").toFile())
                .start();
    }

    private String awaitPod(Process session) throws IOException {
        String pod = session.inputReader(StandardCharsets.UTF_8).readLine();
        assertThat(pod)
                .as(() -> "the pod of the other JVM: " + messages())
                .isNotNull()
                .startsWith("paddock-");
        return pod;
    }

    private String messages() {
        try {
            return Files.readString(directory.resolve("messages"));
        } catch (IOException none) {
            return none.toString();
        }
    }

    /** The pod has answered meanwhile. */
    @Tag("full")
    @Test
    void C15_jvmThatWasStoppedForSecondsHasNotLostItsPod() throws Exception {
        Process jvm = session("sleep 8", TestCluster.NAMESPACE);
        try {
            String unused = awaitPod(jvm);
            assertThat(HostSignals.send("STOP", jvm.pid())).isTrue();
            Awaitility.await("longer than a pod may be silent")
                    .pollDelay(Duration.ofSeconds(LastingCommand.LOSS_BOUND_SECONDS))
                    .until(() -> true);
            assertThat(HostSignals.send("CONT", jvm.pid())).isTrue();
            assertThat(jvm.waitFor()).as(this::messages).isZero();
        } finally {
            jvm.destroyForcibly().waitFor();
        }
    }

    /** The sweep looks where the dead JVM has recorded that it had a pod, not in the current namespace alone. */
    @Test
    void C12_killedJvmLeavesPodThatEndsItselfAndIsSwept() throws Exception {
        TestCluster.createNamespace(OTHER_NAMESPACE);
        Process jvm = session(lasting.text(), OTHER_NAMESPACE);
        String pod;
        try {
            pod = awaitPod(jvm);
        } finally {
            jvm.destroyForcibly().waitFor();
        }
        lasting.awaitEnd(Duration.ofSeconds(LastingCommand.LOSS_BOUND_SECONDS));
        Awaitility.await("the pod has ended").atMost(Duration.ofSeconds(30)).until(() -> hasEnded(pod));
        assertThat(new KubernetesProvider().sweep(SweepMode.DRY_RUN))
                .anyMatch(line -> line.startsWith("would delete") && line.contains(pod));
        assertThat(pod(pod)).isPresent();
        assertThat(new KubernetesProvider().sweep(SweepMode.REMOVE)).anyMatch(line -> line.contains(pod));
        assertThat(pod(pod)).isEmpty();
        assertThat(new KubernetesProvider().sweep(SweepMode.DRY_RUN)).noneMatch(line -> line.contains(OTHER_NAMESPACE));
        TestCluster.deleteNamespace(OTHER_NAMESPACE);
    }

    @Test
    void C12_killedJvmLeavesClaimWhoseCommandsHaveEndedAndThatIsSwept() throws Exception {
        try (SandboxController controller = SandboxController.start(TestCluster.kubeconfig(), TestCluster.NAMESPACE)) {
            String template = controller.template(TestCluster.template(), Behaviour.SERVES);
            Process jvm = session(lasting.text(), TestCluster.NAMESPACE, template);
            String claim;
            try {
                claim = awaitPod(jvm);
            } finally {
                jvm.destroyForcibly().waitFor();
            }
            lasting.awaitEnd(Duration.ofSeconds(LastingCommand.LOSS_BOUND_SECONDS));
            assertThat(new KubernetesProvider().sweep(SweepMode.DRY_RUN))
                    .anyMatch(line -> line.startsWith("would delete the claim '" + claim + "'"));
            assertThat(controller.claims(template)).containsExactly(claim);
            assertThat(new KubernetesProvider().sweep(SweepMode.REMOVE))
                    .anyMatch(line -> line.startsWith("the claim '" + claim + "'"));
            assertThat(controller.claims(template)).isEmpty();
        }
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
}
