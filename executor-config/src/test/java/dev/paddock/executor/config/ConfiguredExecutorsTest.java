package dev.paddock.executor.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which executors a configuration names, and the settings that are an executor's own. */
class ConfiguredExecutorsTest {
    @TempDir
    private Path directory;

    private Path worktree;

    @BeforeEach
    void createWorktree() throws IOException {
        directory = directory.toRealPath();
        worktree = Files.createDirectory(directory.resolve("tree"));
    }

    private Path write(String name, String yaml) throws IOException {
        return Files.writeString(directory.resolve(name), yaml);
    }

    private SandboxPolicy policy(SandboxConfig config) {
        return config.policy(PathMapping.same(worktree));
    }

    @Test
    void backendsSettingsArriveAndAreShown() throws IOException {
        SandboxConfig file = SandboxConfig.read(write("paddock.yaml", """
                executor: ssh
                settings: { host: build@example.org, port: 2222 }
                caches: [npm]
                toolchains: path
                identity: user
                """));

        assertThat(file.settings()).isEqualTo(Map.of("host", "build@example.org", "port", "2222"));
        assertThat(file.render()).containsSubsequence("settings:", "host: ", "build@example.org");
        assertThat(SandboxConfig.read(write("shown.yaml", file.render())).settings())
                .isEqualTo(file.settings());
        SandboxConfig other = SandboxConfig.builder().setting("port", "22").build();
        assertThat(other.over(file).settings()).containsEntry("port", "22").containsEntry("host", "build@example.org");
        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> policy(file))
                .withMessageContaining("caches cannot be used here: commands run on another machine");
    }

    @Test
    void severalExecutorsAreTakenInTheirOrder() throws IOException {
        SandboxConfig file = SandboxConfig.read(write("paddock.yaml", """
                executor: [bwrap, landlock, docker]
                image: debian:bookworm
                """));
        assertThat(file.executor()).isEqualTo("bwrap,landlock,docker");
        assertThat(file.render()).contains("executor: [bwrap, landlock, docker]");
        assertThat(SandboxConfig.read(write("shown.yaml", file.render())).executor())
                .isEqualTo(file.executor());
        assertThat(SandboxConfig.builder().executor("docker,bwrap").build().executor())
                .isEqualTo("docker,bwrap");
        assertThat(SandboxConfig.defaults().resolved()).isSameAs(SandboxConfig.defaults());
    }

    @Test
    void dockersNetworkTmpAndRootAreSettingsOfDockerAlone() throws IOException {
        Path file = write("paddock.yaml", """
                executor: docker
                image: debian:bookworm
                network: { docker: tests }
                tmp: { size: 64m, exec: false }
                root: writable
                """);
        SandboxConfig config = SandboxConfig.read(file);
        assertThat(config.settings())
                .isEqualTo(Map.of(
                        "image", "debian:bookworm", "network", "tests", "tmp", "64m,noexec", "root", "writable"));
        assertThat(policy(config).network()).isEqualTo(NetworkPolicy.open());
        SandboxConfig shown = SandboxConfig.read(write("shown.yaml", config.render()));
        assertThat(shown.settings()).isEqualTo(config.settings());
        assertThat(SandboxConfig.builder()
                        .network("docker tests")
                        .build()
                        .over(SandboxConfig.preset("offline"))
                        .settings())
                .isEqualTo(Map.of("network", "tests"));
        assertThat(SandboxConfig.preset("offline").over(config).settings()).doesNotContainKey("network");
        for (String other : List.of("bwrap", "docker,bwrap", "auto")) {
            SandboxConfig elsewhere = SandboxConfig.builder()
                    .executor(other)
                    .network("docker tests")
                    .build();
            assertThatExceptionOfType(SandboxConfigException.class)
                    .isThrownBy(() -> policy(elsewhere))
                    .withMessageContaining("network.docker is docker's");
        }
        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> SandboxConfig.read(write("two.yaml", "network: { docker: a, allow: [b.example] }")))
                .withMessageContaining("goes with no other key");
        Files.writeString(worktree.resolve("paddock.yaml"), "network: { docker: tests }\n");
        SandboxConfig wider = SandboxConfig.read(worktree.resolve("paddock.yaml"))
                .over(SandboxConfig.builder().executor("docker").network("open").build());
        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> policy(wider))
                .withMessageContaining("the network 'docker tests' is not granted");
        Files.writeString(worktree.resolve("paddock.yaml"), "network: open\n");
        SandboxConfig another = SandboxConfig.read(worktree.resolve("paddock.yaml"))
                .over(SandboxConfig.builder()
                        .executor("docker")
                        .network("docker tests")
                        .build());
        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> policy(another))
                .withMessageContaining("the network 'open' is not granted");
    }

    @Test
    void writableRootIsRefusedWhereNoLayerIs() throws IOException {
        assertThat(SandboxConfig.read(write("bwrap.yaml", "executor: bwrap\nroot: writable\n"))
                        .settings())
                .isEqualTo(Map.of("root", "writable"));
        assertThat(SandboxConfig.read(write("usual.yaml", "executor: landlock\nroot: read-only\n"))
                        .settings())
                .isEmpty();
        for (String other : List.of("landlock", "auto", "host", "[bwrap, docker]")) {
            Path file = write("writable.yaml", "executor: " + other + "\nroot: writable\n");
            assertThatExceptionOfType(SandboxConfigException.class)
                    .isThrownBy(() -> policy(SandboxConfig.read(file)))
                    .withMessageContaining("writable.yaml:2: a writable root is a layer above the system");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '#',
            ignoreLeadingAndTrailingWhitespace = true,
            value = {
                "[bwrap, host]; 'host' cannot be one of several executors",
                "[ssh, bwrap]; 'ssh' cannot be one of several executors",
                "[bwrap, kubernetes]; each has to be a sandbox of this machine",
                "[auto, bwrap]; 'auto' cannot be one of several executors",
                "[bwrap, bwrap]; the executor 'bwrap' is there twice",
                "[bwrap, dokcer]; did you mean docker?",
                "['bwrap,docker', landlock]; there is no backend named ' docker'",
                "[]; there is no backend named ''",
                "[bwrap, [docker]]; executor is a text, not a list"
            })
    void listOfExecutorsHasSandboxesOfThisMachine(String list, String reason) throws IOException {
        Path file = write("paddock.yaml", "executor: " + list + "\n");
        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> SandboxConfig.read(file))
                .withMessageContaining(reason)
                .withMessageContaining("paddock.yaml:1");
    }

    /** As for the host: what ssh reaches cannot be confined, and is only used when it is named. */
    @Test
    void elsewhereNothingOfUsersSurroundingsIsGranted() {
        for (String executor : List.of("ssh", "kubernetes")) {
            SandboxConfig config = SandboxConfig.builder()
                    .executor(executor)
                    .toolchains("path")
                    .identity("user")
                    .build();
            assertThat(policy(config).mounts()).isEmpty();
            assertThat(policy(config).network())
                    .isEqualTo(executor.equals("ssh") ? NetworkPolicy.open() : NetworkPolicy.off());
        }
    }

    @Test
    void imageAndRunningPodExcludeEachOther() throws IOException {
        SandboxConfig pod = SandboxConfig.read(write("paddock.yaml", "settings: { pod: box, namespace: n }\n"));
        SandboxConfig image = SandboxConfig.builder().image("debian").build();

        assertThat(image.over(pod).settings()).isEqualTo(Map.of("image", "debian", "namespace", "n"));
        assertThat(pod.over(image).settings()).isEqualTo(Map.of("pod", "box", "namespace", "n"));
    }

    @Test
    void hostEnforcesNothingUnlessFileRequiresIt() throws IOException {
        assertThat(policy(SandboxConfig.builder().executor("host").build()))
                .isEqualTo(SandboxPolicy.unconfined(PathMapping.same(worktree)));
        assertThat(policy(SandboxConfig.read(write("paddock.yaml", "{ executor: host, network: off }")))
                        .network())
                .isEqualTo(NetworkPolicy.off());
    }

    @Test
    void commandsRunAsFileSays() throws Exception {
        for (String backend : new String[] {"host", "bwrap"}) {
            SandboxConfig config = SandboxConfig.read(
                    write("paddock.yaml", "executor: " + backend + "\nenvironment: { set: { GREETING: hello } }\n"));
            try (CommandExecutor executor = config.open(PathMapping.same(worktree), progress -> {})) {
                assertThat(executor.name()).isEqualTo(backend);
                CommandResult result = executor.run("echo \"$GREETING\"", RunOptions.in(worktree.toString()));
                assertThat(result.outText()).isEqualTo("hello\n");
            }
        }
    }

    @Test
    void backendThatIsNotInstalledIsRefusedWithItsLine() throws IOException {
        Path file = write("paddock.yaml", "# a comment\nexecutor: seatbelt\n");
        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> SandboxConfig.read(file).open(PathMapping.same(worktree), progress -> {}))
                .withMessageStartingWith(file + ":2: there is no backend named 'seatbelt'");
    }
}
