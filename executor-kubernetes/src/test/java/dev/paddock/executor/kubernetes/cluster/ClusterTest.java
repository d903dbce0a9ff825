package dev.paddock.executor.kubernetes.cluster;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.paddock.executor.SandboxUnavailableException;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ClusterTest {
    @TempDir
    Path directory;

    @Test
    void clustersOfOneFileShareClientUntilLastIsClosed() throws IOException {
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
    void fileThatHasChangedIsReadAgain() throws IOException {
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
    void serverWhoseNameHasNoAddressDoesNotAnswer() throws IOException {
        try (Cluster cluster = cluster(kubeconfig("cluster.invalid:443"))) {
            assertThatExceptionOfType(SandboxUnavailableException.class)
                    .isThrownBy(cluster::version)
                    .satisfies(absent -> {
                        assertThat(absent.reason())
                                .contains("https://cluster.invalid:443/ does not answer: its name has no address");
                        assertThat(absent.isTransient()).isTrue();
                    });
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    users: [{user: {token: s3cret                  | cannot be used: '%s' is not a whole kubeconfig
                    s3cret                                         | cannot be used: '%s' is not a whole kubeconfig
                    {"users": [{"user": "s3cret"}]}                | cannot be used: '%s' is not a whole kubeconfig
                    ''                                             | cannot be used: '%s' is not a whole kubeconfig
                    {current-context: s3cret}                      | cannot be used: '%s' is not a whole kubeconfig
                    """)
    void fileThatCannotBeUsedIsNamedWithoutWordOfIt(String text, String reason) throws IOException {
        Path file = Files.writeString(directory.resolve("kubeconfig"), text);
        assertUnusable(file, reason);
    }

    @Test
    void fileWithoutCurrentContextIsNamed() throws IOException {
        Path file = kubeconfig("127.0.0.1:1");
        Files.writeString(file, Files.readString(file).replace("current-context: here\n", ""));
        assertUnusable(file, "runs in no pod: '%s' has no current context");
    }

    @Test
    void fileThatIsMissingOrDirectoryIsNamed() {
        assertUnusable(directory.resolve("none"), "cannot be used: '%s' does not exist");
        assertUnusable(directory, "cannot be used: '%s' is a directory");
    }

    private static void assertUnusable(Path file, String reason) {
        try (Cluster cluster = cluster(file)) {
            assertThatExceptionOfType(SandboxUnavailableException.class)
                    .isThrownBy(cluster::version)
                    .satisfies(unusable -> {
                        assertThat(unusable.reason()).contains(reason.formatted(file));
                        assertThat(unusable.isTransient()).isFalse();
                    })
                    .extracting(ClusterTest::stackTrace, as(InstanceOfAssertFactories.STRING))
                    .doesNotContain("s3cret");
        }
    }

    private static String stackTrace(Throwable fault) {
        StringWriter text = new StringWriter();
        fault.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Test
    void contextThatIsNotThereIsNamed() throws IOException {
        Path file = kubeconfig("127.0.0.1:1");
        try (Cluster cluster = Cluster.of(Optional.of(file), Optional.of("elsewhere"))) {
            assertThatExceptionOfType(SandboxUnavailableException.class)
                    .isThrownBy(cluster::version)
                    .satisfies(unusable -> assertThat(unusable.reason())
                            .isEqualTo("the kubeconfig has no context 'elsewhere': '" + file + "' does not define it"));
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
