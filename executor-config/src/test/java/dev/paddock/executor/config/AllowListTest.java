package dev.paddock.executor.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the allowed hosts of a file. */
class AllowListTest {
    @TempDir
    private Path directory;

    private static NetworkPolicy network(Path file) {
        return SandboxConfig.read(file)
                .policy(PathMapping.same(Path.of("/work")))
                .network();
    }

    @Test
    void allowedHostsArriveAndAreShownAsTheyAreRead() throws IOException {
        Path file = Files.writeString(directory.resolve("paddock.yaml"), """
                network:
                  allow:
                    - example.org
                    - "*.example.org:443,8443"
                    - git.corp.example:22/private
                """);
        NetworkPolicy allowed =
                NetworkPolicy.allow("example.org", "*.example.org:443,8443", "git.corp.example:22/private");
        assertThat(network(file)).isEqualTo(allowed);

        Path shown = Files.writeString(
                directory.resolve("shown.yaml"), SandboxConfig.read(file).render());
        assertThat(network(shown)).isEqualTo(allowed);
    }
}
