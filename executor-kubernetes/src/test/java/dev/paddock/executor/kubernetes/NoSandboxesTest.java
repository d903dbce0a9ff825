package dev.paddock.executor.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.Availability;
import dev.paddock.executor.SandboxUnavailableException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.upkeep.SweepMode;
import dev.paddock.fixtures.SandboxController;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests a claim on a cluster without the resources of agent-sandbox. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@NeedsCluster(sandboxes = NeedsCluster.Use.ALONE)
class NoSandboxesTest {
    @TempDir
    Path directory;

    @BeforeAll
    static void removeDefinitions() {
        SandboxController.removeDefinitions(TestCluster.kubeconfig());
    }

    @Test
    void missingResourcesAreNamed() {
        try (KubernetesExecutor executor = KubernetesExecutor.builder()
                .kubeconfig(TestCluster.kubeconfig())
                .claim("template")
                .build()) {
            assertThatThrownBy(() -> executor.spawn("true", SpawnOptions.in("/")))
                    .isInstanceOf(SandboxUnavailableException.class)
                    .hasMessageContaining("has no sandboxclaims (extensions.agents.x-k8s.io/v1beta1 or v1alpha1)");
        }
        SandboxPolicy policy = SandboxPolicy.builder(new PathMapping(directory, "/work"))
                .network(NetworkPolicy.open())
                .build();
        assertThat(new KubernetesProvider().probe(policy, Map.of("claim", "template")))
                .isInstanceOfSatisfying(
                        Availability.Unusable.class,
                        unusable -> assertThat(unusable.reason()).contains("has no sandboxclaims"));
        assertThat(new KubernetesProvider().sweep(SweepMode.DRY_RUN)).noneMatch(line -> line.contains("claim"));
    }
}
