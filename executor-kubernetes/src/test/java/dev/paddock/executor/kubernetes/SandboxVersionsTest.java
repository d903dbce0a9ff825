package dev.paddock.executor.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.Availability;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.fixtures.SandboxController;
import dev.paddock.fixtures.SandboxController.Behaviour;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests clusters whose agent-sandbox serves another version than {@code v1beta1} alone. */
@Tag("full")
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@NeedsCluster(sandboxes = NeedsCluster.Use.ALONE)
class SandboxVersionsTest {
    @TempDir
    Path directory;

    @BeforeEach
    void removeDefinitions() {
        SandboxController.removeDefinitions(TestCluster.kubeconfig());
    }

    @AfterAll
    static void leaveNone() {
        SandboxController.removeDefinitions(TestCluster.kubeconfig());
    }

    private static SandboxController start(String... versions) {
        return SandboxController.start(TestCluster.kubeconfig(), TestCluster.NAMESPACE, List.of(versions));
    }

    private KubernetesExecutorBuilder options() {
        return KubernetesExecutor.builder()
                .kubeconfig(TestCluster.kubeconfig())
                .namespace(TestCluster.NAMESPACE)
                .quarantine(directory.resolve("quarantine"))
                .warmSlots(0);
    }

    private void requireWorks(String template, String name) throws Exception {
        try (KubernetesExecutor executor =
                options().claim(template).claimName(name).build()) {
            assertThat(executor.run("echo works", RunOptions.in("/work")).outText())
                    .isEqualTo("works\n");
        }
    }

    @Test
    void v1alpha1AloneIsSpoken() throws Exception {
        try (SandboxController controller = start("v1alpha1")) {
            String template = controller.template(TestCluster.template(), Behaviour.SERVES);
            String name = "kept-" + template;
            Map<String, String> settings = Map.of("claim", template, "claimName", name);
            assertThat(options().claim(template).readiness())
                    .isInstanceOfSatisfying(
                            Availability.Usable.class,
                            usable -> assertThat(usable.version()).contains("agent-sandbox v1alpha1, 0 of 0"));
            requireWorks(template, name);
            new KubernetesProvider().suspend(settings);
            Awaitility.await("the sandbox is suspended") // a suspension waits 5 s at most
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> controller.pods(template).isEmpty());
            String sandbox = controller.sandboxes(template).getFirst();
            try (KubernetesExecutor executor = options().sandbox(sandbox).build()) {
                assertThatThrownBy(() -> executor.spawn("true", SpawnOptions.in("/work")))
                        .isInstanceOf(SandboxUnavailableException.class)
                        .hasMessageContaining("{\"spec\":{\"replicas\":1}}");
            }
            requireWorks(template, name);
            new KubernetesProvider().discard(settings);
            assertThat(controller.claims(template)).isEmpty();

            String none = controller.absentTemplate();
            try (KubernetesExecutor executor = options().claim(none).build()) {
                assertThatThrownBy(() -> executor.spawn("true", SpawnOptions.in("/work")))
                        .isInstanceOf(SandboxUnavailableException.class)
                        .hasMessageContaining("the template '" + none + "' does not exist");
            }
        }
    }

    /** Its claims are then those of {@link SandboxTest}. */
    @Test
    void newestOfSeveralIsSpoken() {
        try (SandboxController controller = start("v1beta1", "v1alpha1")) {
            String template = controller.template(TestCluster.template(), Behaviour.SERVES);
            assertThat(options().claim(template).readiness().toString()).contains("agent-sandbox v1beta1, 0 of 0");
        }
    }
}
