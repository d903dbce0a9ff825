package dev.paddock.executor.kubernetes.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.upkeep.SweepMode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PodSweepTest {
    @TempDir
    Path directory;

    private PodNamespace namespace(String server) throws IOException {
        Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: here
                contexts: [{name: here, context: {cluster: here, user: me}}]
                clusters: [{name: here, cluster: {server: "https://%s"}}]
                users: [{name: me, user: {token: none}}]
                """.formatted(server));
        return new PodNamespace(Optional.of(kubeconfig), Optional.of("here"), "agents");
    }

    private static List<String> sweep(PodNamespace namespace, Duration bound) {
        return PodSweep.of(Map.of(namespace, List.of()), SweepMode.DRY_RUN, System.nanoTime() + bound.toNanos());
    }

    @Test
    void clusterThatRefusesConnectionsIsNamed() throws IOException {
        assertThat(sweep(namespace("127.0.0.1:1"), Duration.ofSeconds(20)))
                .singleElement()
                .asString()
                .startsWith(
                        "the pods in the namespace 'agents' of the context 'here' were not examined: the API server at"
                                + " https://127.0.0.1:1/ does not answer")
                .endsWith("Then run paddock gc again");
    }

    @Test
    void clusterThatIsSilentIsNamedInTime() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(sweep(namespace("127.0.0.1:" + silent.getLocalPort()), Duration.ofMillis(300)))
                    .singleElement()
                    .asString()
                    .contains("were not examined: the cluster did not answer in time");
        }
    }

    @Test
    void placeIsReadAsItWasWritten() throws IOException {
        PodNamespace namespace = namespace("127.0.0.1:1");
        namespace.write(directory.resolve("record"));
        assertThat(PodNamespace.read(directory.resolve("record"))).contains(namespace);
        assertThat(PodNamespace.read(directory.resolve("none"))).isEmpty();
    }
}
