package dev.paddock.executor.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests a policy without a network on a cluster that accepts NetworkPolicy objects and enforces none. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@NeedsCluster
class NetworkOffTest {
    /** Of this test alone, which finds it empty afterwards. */
    private static final String NAMESPACE = "paddock-test-network-off";

    @TempDir
    Path worktree;

    @BeforeAll
    static void createNamespace() {
        TestCluster.createNamespace(NAMESPACE);
    }

    @AfterAll
    static void deleteNamespace() {
        TestCluster.deleteNamespace(NAMESPACE);
    }

    private static List<GenericKubernetesResource> policies() {
        return TestCluster.client()
                .genericKubernetesResources("networking.k8s.io/v1", "NetworkPolicy")
                .inNamespace(NAMESPACE)
                .list()
                .getItems();
    }

    @Test
    void G_NETWORK_OFF_isRefusedWhereNothingEnforcesIt() {
        SandboxPolicy policy = SandboxPolicy.builder(new PathMapping(worktree, "/work"))
                .network(NetworkPolicy.off())
                .build();
        KubernetesExecutorBuilder builder = KubernetesExecutor.builder()
                .kubeconfig(TestCluster.kubeconfig())
                .namespace(NAMESPACE)
                .image(TestCluster.BUSYBOX)
                .pullPolicy("Never")
                .policy(policy)
                .networkOffTimeout(Duration.ofMillis(300));
        assertThatThrownBy(() -> builder.build().dispose())
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining("does not enforce a NetworkPolicy");
        assertThat(TestCluster.managedPods(NAMESPACE)).isEmpty();
        Awaitility.await("the NetworkPolicy is gone with its pod")
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(policies()).isEmpty());
    }
}
