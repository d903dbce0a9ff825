package dev.paddock.executor.kubernetes.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.paddock.executor.SandboxUnavailableException;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ClusterTest {
    @TempDir
    Path directory;

    @Test
    void clustersOfOneFileShareAClientUntilTheLastIsClosed() throws IOException {
        Path file = kubeconfig("127.0.0.1:1");
        KubernetesClient shared;
        try (Cluster first = cluster(file)) {
            shared = first.client();
            try (Cluster second = cluster(file)) {
                assertThat(second.client()).isSameAs(shared);
            }
            assertThat(first.client()).isSameAs(shared);
        }
        try (Cluster later = cluster(file)) {
            assertThat(later.client()).isNotSameAs(shared);
        }
    }

    @Test
    void aFileThatHasChangedIsReadAgain() throws IOException {
        Path file = kubeconfig("127.0.0.1:1");
        try (Cluster first = cluster(file)) {
            KubernetesClient shared = first.client();
            kubeconfig("127.0.0.1:12");
            try (Cluster second = cluster(file)) {
                assertThat(second.client()).isNotSameAs(shared);
            }
        }
    }

    @Test
    void aServerWhoseNameHasNoAddressDoesNotAnswer() throws IOException {
        try (Cluster cluster = cluster(kubeconfig("cluster.invalid:443"))) {
            assertThatExceptionOfType(SandboxUnavailableException.class)
                    .isThrownBy(cluster::version)
                    .satisfies(absent -> {
                        assertThat(absent.reason()).contains("https://cluster.invalid:443/ does not answer");
                        assertThat(absent.isTransient()).isTrue();
                    });
        }
    }

    private static Cluster cluster(Path file) {
        return Cluster.of(Optional.of(file), Optional.empty());
    }

    private Path kubeconfig(String server) throws IOException {
        return Files.writeString(directory.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: here
                contexts: [{name: here, context: {cluster: here, user: me}}]
                clusters: [{name: here, cluster: {server: "https://%s"}}]
                users: [{name: me, user: {token: none}}]
                """.formatted(server));
    }
}
