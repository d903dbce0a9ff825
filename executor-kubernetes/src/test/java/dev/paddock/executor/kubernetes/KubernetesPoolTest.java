package dev.paddock.executor.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorDisposedException;
import dev.paddock.executor.RunOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@NeedsCluster
class KubernetesPoolTest {
    private static KubernetesExecutorBuilder options() {
        return KubernetesExecutor.builder()
                .kubeconfig(TestCluster.kubeconfig())
                .namespace(TestCluster.NAMESPACE)
                .image(TestCluster.BUSYBOX)
                .pullPolicy("Never");
    }

    @Tag("full")
    @Test
    void podIsReadyAndHandedOutOnce() throws Exception {
        List<String> pods = new ArrayList<>();
        KubernetesPool pool = new KubernetesPool(1, KubernetesPoolTest::options);
        try (pool) {
            for (int round = 0; round < 2; round++) {
                Awaitility.await("a pod is ready")
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> pool.ready() == 1);
                try (CommandExecutor executor = pool.take()) {
                    pods.add(executor.run("hostname", RunOptions.in("/work")).outText());
                }
            }
        }
        assertThat(pods).doesNotHaveDuplicates();
        assertThatThrownBy(pool::take).isInstanceOf(ExecutorDisposedException.class);
        Awaitility.await("no pod of the pool is left")
                .atMost(Duration.ofSeconds(60))
                .until(() -> TestCluster.managedPods().stream().noneMatch(pods.toString()::contains));
    }

    @Test
    void sizeOfNoneIsRefused() {
        assertThatThrownBy(() -> new KubernetesPool(0, KubernetesPoolTest::options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0");
    }
}
