package dev.paddock.executor.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @Test
    void groupStandsForItsHosts() throws IOException {
        Path file = Files.writeString(directory.resolve("paddock.yaml"), """
                groups:
                  own: [a.example, "*.b.example:8443/5m"]
                  more: [c.example]
                network: { allow: [d.example, "@own"], proxy: host, proxy-variables: true }
                """);
        assertThat(network(file))
                .isEqualTo(NetworkPolicy.allow("d.example", "a.example", "*.b.example:8443/5m")
                        .throughHostProxy()
                        .withProxyVariables());

        Path shown = Files.writeString(
                directory.resolve("shown.yaml"), SandboxConfig.read(file).render());
        assertThat(network(shown)).isEqualTo(network(file));
        assertThat(shown).content().contains("more: [c.example]");

        SandboxConfig command = SandboxConfig.builder().network("allow @more").build();
        assertThat(command.over(SandboxConfig.read(file)).networkIfSet()).contains(NetworkPolicy.allow("c.example"));
    }

    @Test
    void eachProxyKeyIsSetByItself() throws IOException {
        NetworkPolicy.Allow hosts = NetworkPolicy.allow("a.example");
        Path file = Files.writeString(
                directory.resolve("paddock.yaml"), "network: { allow: [a.example], proxy-variables: true }\n");
        assertThat(network(file)).isEqualTo(hosts.withProxyVariables());
        Files.writeString(file, "network: { allow: [a.example], proxy: none, proxy-variables: false }\n");
        assertThat(network(file)).isEqualTo(hosts);

        assertThat(SandboxConfig.builder()
                        .network("allow proxy=host proxy=offered a.example")
                        .build()
                        .networkIfSet())
                .contains(hosts.throughHostProxy().withProxyVariables());
    }

    @Test
    void groupThatNobodyHasIsNamedWithNearest() throws IOException {
        Path file = Files.writeString(directory.resolve("paddock.yaml"), """
                groups: { mirror: [a.example] }
                network: { allow: ["@miror"] }
                """);
        assertThatThrownBy(() -> network(file))
                .isInstanceOf(SandboxConfigException.class)
                .hasMessageContaining(":2: there is no group of hosts named 'miror'; did you mean mirror?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "groups: { own: [] }                | the group 'own' has no hosts",
                "groups: { own: ['@other'] }        | cannot be used",
                "groups: { own: a.example }         | groups is a list",
                "groups: { 'a b': [a.example] }     | a group's name is",
                "network: { allow: ['@a b'] }       | a group's name is",
                "network: { allow: [a.example], proxy-variables: yes } | proxy-variables is true or false, not 'yes'",
                "network: { proxy-variables: true } | the list of allowed hosts is empty"
            })
    void malformedGroupsAreRefused(String yaml, String message) throws IOException {
        Path file = Files.writeString(directory.resolve("paddock.yaml"), yaml + "\n");
        assertThatThrownBy(() -> network(file))
                .isInstanceOf(SandboxConfigException.class)
                .hasMessageContaining(message);
    }
}
