package dev.paddock.executor.kubernetes.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.UnsupportedPolicyException;
import dev.paddock.executor.kubernetes.NeedsCluster;
import dev.paddock.executor.kubernetes.TestCluster;
import dev.paddock.executor.kubernetes.cluster.Cluster;
import dev.paddock.executor.kubernetes.cluster.PodConnection;
import dev.paddock.executor.kubernetes.cluster.PodName;
import dev.paddock.executor.remote.ShellChannel;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the proof that a pod's network is off, in pods of a cluster that enforces no NetworkPolicy. */
@Tag("full")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@NeedsCluster
class NetworkProofTest {
    @TempDir
    Path shared;

    private final String name = "box-" + Long.toHexString(System.nanoTime());
    private Cluster cluster;
    private PodConnection pod;

    @BeforeEach
    void connect() {
        cluster = Cluster.of(Optional.of(TestCluster.kubeconfig()), Optional.empty());
        pod = new PodConnection(cluster, new PodName(TestCluster.NAMESPACE, name, TestCluster.CONTAINER));
    }

    @AfterEach
    void delete() {
        cluster.close();
        TestCluster.delete(name);
    }

    private String output(String command) throws Exception {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        try (ShellChannel channel = pod.open(List.of("sh", "-c", command))) {
            channel.deliver((stream, bytes, length) -> output.write(bytes, 0, length));
        }
        return output.toString(StandardCharsets.UTF_8);
    }

    private void assertRefused(String reason) {
        assertThatThrownBy(() -> NetworkProof.require(pod, () -> {}, Duration.ofMillis(300)))
                .isInstanceOf(UnsupportedPolicyException.class)
                .hasMessageContaining("cannot keep the network off")
                .hasMessageContaining(reason);
    }

    @Test
    void bashTriesWhereThereIsNoNcAndImageThatCannotTryIsRefused() throws Exception {
        TestCluster.start(name, TestCluster.DEBIAN, shared);
        assertRefused("does not enforce a NetworkPolicy");
        assertThat(output("rm /usr/bin/timeout && echo done")).isEqualTo("done\n");
        assertRefused("neither nc nor bash");
    }

    /** In place of a cluster that enforces the policy, the node drops what the pod sends. */
    @Test
    void podWhosePacketsAreDroppedHasNoNetwork() throws Exception {
        assumeTrue(run("iptables", "-w", "-L", "INPUT", "-n") == 0, "there is no iptables on the node");
        TestCluster.start(name, TestCluster.BUSYBOX, shared);
        String address = output("hostname -i").strip();
        assertThat(address).matches("[0-9.]+");
        try {
            assertThatCode(() -> NetworkProof.require(pod, () -> drop("-I", address), PodBounds.STANDARD.networkOff()))
                    .doesNotThrowAnyException();
        } finally {
            drop("-D", address);
        }
        assertRefused("does not enforce a NetworkPolicy");
    }

    private static void drop(String action, String address) {
        for (String chain : List.of("INPUT", "FORWARD")) {
            String rule = chain + " -s " + address + " -m comment --comment paddock -j DROP";
            assertThat(run("sh", "-c", "iptables -w " + action + " " + rule)).isZero();
        }
    }

    private static int run(String... command) {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (Exception absent) {
            return -1;
        }
    }
}
