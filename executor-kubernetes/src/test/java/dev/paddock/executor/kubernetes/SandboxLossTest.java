package dev.paddock.executor.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.fixtures.SandboxController;
import dev.paddock.fixtures.SandboxController.Behaviour;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests sandboxes of the cluster's own controller whose pods or claims end while an executor uses them. */
@Tag("full")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@NeedsCluster(sandboxes = NeedsCluster.Use.SHARED)
class SandboxLossTest {
    private static SandboxController controller;

    /** Distinguishes the main process of this test's pods from all others. */
    private final String seconds = Long.toString(1_000_000 + System.nanoTime() % 1_000_000);

    @TempDir
    Path directory;

    private Path worktree;

    @BeforeAll
    static void startController() {
        controller = SandboxController.start(TestCluster.kubeconfig(), TestCluster.NAMESPACE);
    }

    @AfterAll
    static void stopController() {
        controller.close();
    }

    @BeforeEach
    void create() throws Exception {
        worktree = Files.createDirectories(directory.resolve("worktree"));
        Files.writeString(worktree.resolve("file"), "here\n");
    }

    private KubernetesExecutorBuilder options() {
        return KubernetesExecutor.builder()
                .kubeconfig(TestCluster.kubeconfig())
                .namespace(TestCluster.NAMESPACE)
                .quarantine(directory.resolve("quarantine"))
                .warmSlots(0);
    }

    private KubernetesExecutorBuilder claiming(String template) {
        return options().claim(template).worktree(worktree);
    }

    private static String run(KubernetesExecutor executor, String command) throws Exception {
        return executor.run(command, RunOptions.in("/work")).outText();
    }

    private static void assertNothingLeft(String template) {
        assertThat(controller.claims(template)).isEmpty();
        Awaitility.await("the pods are gone")
                .atMost(Duration.ofSeconds(30))
                .until(() -> controller.pods(template).isEmpty());
    }

    @Test
    void C15_podIsReplacedByOneOfAnotherNameAndClaimIsMadeAnewAsLongAsItsTemplateExists() throws Exception {
        String template = controller.template(TestCluster.template(), Behaviour.SERVES);
        try (KubernetesExecutor executor = claiming(template).build()) {
            ProcessLike process = executor.spawn("echo up; sleep 100", SpawnOptions.in("/work"));
            assertThat(process.stdout().readNBytes(3)).asString().isEqualTo("up\n");
            String lost = executor.pod().orElseThrow();
            controller.renamePod(controller.sandboxes(template).getFirst());
            TestCluster.delete(lost);
            LastingCommand.awaitLoss(process);
            assertThat(run(executor, "cat file")).isEqualTo("here\n");
            assertThat(executor.pod()).contains(lost + "-other");
            String ended = endSandbox(executor, template);
            assertThat(run(executor, "cat file")).isEqualTo("here\n");
            assertThat(executor.pod().orElseThrow()).isNotEqualTo(ended);
            controller.removeTemplate(template);
            String unused = endSandbox(executor, template);
            assertThatThrownBy(() -> executor.spawn("true", SpawnOptions.in("/work")))
                    .isInstanceOf(SandboxUnavailableException.class)
                    .hasMessageContaining("the template '" + template + "' does not exist");
        }
        assertNothingLeft(template);
    }

    /** Deletes the claim of an executor while a command runs, and returns the pod that ends with it. */
    private static String endSandbox(KubernetesExecutor executor, String template) throws Exception {
        ProcessLike process = executor.spawn("echo up; sleep 100", SpawnOptions.in("/work"));
        assertThat(process.stdout().readNBytes(3)).asString().isEqualTo("up\n");
        controller.deleteClaim(controller.claims(template).getFirst());
        LastingCommand.awaitLoss(process);
        return executor.pod().orElseThrow();
    }

    /** Returns a template whose pods fail when their main process ends. */
    private String mortal() {
        return controller.template(
                TestCluster.template()
                        .replace("86400", seconds)
                        .replace(
                                "      automountServiceAccountToken: false\n",
                                "      automountServiceAccountToken: false\n      restartPolicy: Never\n"),
                Behaviour.SERVES);
    }

    /** Kills the main process of a pod, as the kernel does without memory, and waits until the cluster knows. */
    private void fail(String pod) {
        ProcessHandle main = ProcessHandle.allProcesses()
                .filter(process -> List.of(process.info().arguments().orElse(new String[0]))
                        .contains(seconds))
                .findFirst()
                .orElseThrow();
        assertThat(main.destroyForcibly()).isTrue();
        Pod unused = TestCluster.client()
                .pods()
                .inNamespace(TestCluster.NAMESPACE)
                .withName(pod)
                .waitUntilCondition(
                        seen -> seen != null
                                && seen.getStatus() != null
                                && "Failed".equals(seen.getStatus().getPhase()),
                        30,
                        TimeUnit.SECONDS);
    }

    /** The controller leaves the pod as it is. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void C15_podThatHasFailedIsReplaced(boolean isKept) throws Exception {
        String template = mortal();
        String name = "kept-" + template;
        KubernetesExecutorBuilder options = isKept ? claiming(template).claimName(name) : claiming(template);
        try (KubernetesExecutor executor = options.build()) {
            assertThat(run(executor, "cat file")).isEqualTo("here\n");
            List<String> before = controller.claims(template);
            fail(executor.pod().orElseThrow());
            LastingCommand.awaitUsable(executor);
            assertThat(controller.claims(template)).hasSize(1);
            assertThat(controller.claims(template).equals(before)).isEqualTo(isKept);
        }
        new KubernetesProvider().discard(Map.of("claim", template, "claimName", name));
        assertNothingLeft(template);
    }

    @Test
    void failedPodOfExistingSandboxIsNamedUntilItIsDeleted() throws Exception {
        String sandbox = controller.sandbox(mortal());
        try (KubernetesExecutor executor = options().sandbox(sandbox).build()) {
            assertThat(run(executor, "echo works")).isEqualTo("works\n");
            fail(sandbox);
            Awaitility.await("the pod's end is named")
                    .atMost(Duration.ofSeconds(60))
                    .pollInSameThread()
                    .untilAsserted(() -> assertThatThrownBy(() -> executor.spawn("true", SpawnOptions.in("/work")))
                            .isInstanceOf(SandboxUnavailableException.class)
                            .hasMessageContaining("has ended (Failed)")
                            .hasMessageContaining("kubectl delete pod " + sandbox + " --namespace default"));
            TestCluster.delete(sandbox);
            Awaitility.await("the next pod is used")
                    .atMost(Duration.ofSeconds(60))
                    .pollInSameThread()
                    .ignoreExceptionsInstanceOf(ExecutorException.class)
                    .until(() -> run(executor, "echo works").equals("works\n"));
        }
    }
}
