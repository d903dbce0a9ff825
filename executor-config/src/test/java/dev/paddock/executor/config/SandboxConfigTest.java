package dev.paddock.executor.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.paddock.executor.CommandShell;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what files, presets and a program's settings come to. */
class SandboxConfigTest {
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

    @ParameterizedTest
    @CsvSource({"network: off, BASH_IF_PRESENT", "shell: bash, BASH", "shell: sh, OWN"})
    void namesShellOfModelsCommands(String yaml, CommandShell expected) throws IOException {
        Path file = Files.writeString(directory.resolve("shell.yaml"), yaml);
        assertThat(SandboxConfig.read(file).shell()).isEqualTo(expected);
        assertThat(SandboxConfig.read(file).render()).contains(yaml);
    }

    @Test
    void withoutSettingsStrongestSandboxWithNetworkOff() {
        assertThat(SandboxConfig.defaults().executor()).isEqualTo("auto");
        assertThat(SandboxConfig.defaults().settings()).isEmpty();
        assertThat(policy(SandboxConfig.defaults()))
                .isEqualTo(SandboxPolicy.builder(PathMapping.same(worktree)).build());
    }

    @Test
    void everyKeyArrives() throws IOException {
        Path tools = Files.createDirectory(directory.resolve("tools"));
        SandboxConfig config = SandboxConfig.read(write("paddock.yaml", """
                # what a build needs
                executor: docker
                image: debian:bookworm
                network: open
                limits: { memory: 2g, cpus: 1.5, processes: 64, file-size: 100m }
                mounts:
                  - { source: tools, target: /opt/tools }
                  - source: ./tools/
                    target: /opt/more
                    access: rw
                environment:
                  pass: [CI, MY_TOKEN!]
                  set: { LANG: C.UTF-8, COUNT: 3, EMPTY: "" }
                """));

        assertThat(config.executor()).isEqualTo("docker");
        assertThat(config.settings()).isEqualTo(Map.of("image", "debian:bookworm"));
        SandboxPolicy policy = policy(config);
        assertThat(policy.network()).isEqualTo(NetworkPolicy.open());
        assertThat(policy.limits().memoryBytes()).hasValue(2L << 30);
        assertThat(policy.limits().cpus()).hasValue(1.5);
        assertThat(policy.limits().processes()).hasValue(64);
        assertThat(policy.limits().fileSizeBytes()).hasValue(100L << 20);
        assertThat(policy.mounts())
                .containsExactly(
                        new Mount(tools, "/opt/tools", Mount.Access.READ_ONLY),
                        new Mount(tools, "/opt/more", Mount.Access.READ_WRITE));
        assertThat(policy.environment().variables()).isEqualTo(Map.of("LANG", "C.UTF-8", "COUNT", "3", "EMPTY", ""));
        assertThat(policy.environment().passed()).containsExactly("CI");
        assertThat(policy.environment().forced()).containsExactly("MY_TOKEN");
    }

    @Test
    void unixSocketsAreAllowedUnlessFileSwitchesThemOff() throws IOException {
        SandboxConfig off = SandboxConfig.read(write("off.yaml", "unix-sockets: off\n"));

        assertThat(policy(off).unixSockets()).isFalse();
        assertThat(off.render()).contains("unix-sockets: off");
        assertThat(policy(SandboxConfig.defaults()).unixSockets()).isTrue();
    }

    @Test
    void fileLiesOverWhatItExtends() throws IOException {
        write("base.yaml", """
                extends: open
                limits: { memory: 1g, processes: 10 }
                environment: { pass: [A, B], set: { X: base, Y: base } }
                """);
        SandboxConfig config = SandboxConfig.read(write("paddock.yaml", """
                extends: ./base.yaml
                limits: { memory: 2g }
                environment: { pass: [C], set: { X: top } }
                """));

        SandboxPolicy policy = policy(config);
        assertThat(policy.network()).isEqualTo(NetworkPolicy.open());
        assertThat(policy.limits().memoryBytes()).hasValue(2L << 30);
        assertThat(policy.limits().processes()).hasValue(10);
        assertThat(policy.environment().passed()).containsExactly("C");
        assertThat(policy.environment().variables()).isEqualTo(Map.of("X", "top", "Y", "base"));
    }

    @Test
    void programsListsAreAddedAndItsValuesCount() throws IOException {
        Path one = Files.createDirectory(directory.resolve("one"));
        Path other = Files.createDirectory(directory.resolve("other"));
        SandboxConfig file = SandboxConfig.read(write("paddock.yaml", """
                network: off
                container: box
                mounts: [ { source: one, target: /a }, { source: one, target: /b } ]
                environment: { pass: [A] }
                """));
        SandboxConfig config = SandboxConfig.builder()
                .network("open")
                .image("busybox")
                .mount(new Mount(other, "/b", Mount.Access.READ_WRITE))
                .pass("B")
                .build()
                .over(file);

        SandboxPolicy policy = policy(config);
        assertThat(policy.network()).isEqualTo(NetworkPolicy.open());
        assertThat(config.settings()).isEqualTo(Map.of("image", "busybox"));
        assertThat(policy.mounts())
                .containsExactly(
                        new Mount(one, "/a", Mount.Access.READ_ONLY), new Mount(other, "/b", Mount.Access.READ_WRITE));
        assertThat(policy.environment().passed()).containsExactlyInAnyOrder("A", "B");
    }

    @Test
    void presets() {
        assertThat(policy(SandboxConfig.preset("sandbox")).network()).isEqualTo(NetworkPolicy.off());
        assertThat(policy(SandboxConfig.preset("open")).network()).isEqualTo(NetworkPolicy.open());
        assertThat(policy(SandboxConfig.preset("offline").over(SandboxConfig.preset("open")))
                        .network())
                .isEqualTo(NetworkPolicy.off());
        SandboxPolicy development = policy(SandboxConfig.preset("development"));
        assertThat(development.network()).isEqualTo(NetworkPolicy.open());
        assertThat(development.environment().passed()).contains("NO_COLOR");
        assertThat(SandboxConfig.preset("build").render())
                .contains("toolchains: path", "identity: user", "  - maven\n");
        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> SandboxConfig.preset("none"))
                .withMessageContaining("sandbox, untrusted, build, offline, open, development");
        SandboxPolicy untrusted = policy(SandboxConfig.preset("untrusted").over(SandboxConfig.preset("development")));
        assertThat(untrusted.network()).isEqualTo(NetworkPolicy.off());
        assertThat(untrusted.environment().passed()).isEmpty();
        assertThat(untrusted.limits())
                .isEqualTo(
                        ResourceLimits.none().withMemory(1L << 30).withCpus(2).withProcesses(256));
    }

    @Test
    void displayIsConfigurationAndSaysWhereEachValueComesFrom() throws IOException {
        Files.createDirectory(directory.resolve("a b"));
        Path user = write("user.yaml", "extends: open\nlimits: { cpus: 2 }\n");
        Path file = write("paddock.yaml", """
                extends: user.yaml
                image: "busybox"
                mounts: [ { source: a b, target: /opt/x } ]
                environment:
                  pass: ["X!"]
                  set: { A: "two\\nlines # \\"quoted\\"", B: "true" }
                """);
        SandboxConfig config = SandboxConfig.read(file);

        String shown = config.render();
        assertThat(shown)
                .contains("executor: auto  # the default\n")
                .contains("image: busybox  # " + file + ":2\n")
                .contains("network: open  # " + user + ":1\n")
                .contains("  cpus: 2  # " + user + ":2\n");
        SandboxConfig again = SandboxConfig.read(write("again.yaml", shown));
        assertThat(policy(again)).isEqualTo(policy(config));
        assertThat(again.settings()).isEqualTo(config.settings());
    }

    @Test
    void serversAndModelsAreReadAndShown() throws IOException {
        SandboxConfig config = SandboxConfig.read(write("paddock.yaml", """
                mcp:
                  files: { command: "serve 'a b'", env: { LEVEL: "1", N: 2 }, pass: [TOKEN] }
                  beside: { command: serve, run: host }
                  docs: { url: "https://docs.example/mcp", token: DOCS_TOKEN }
                models:
                  default: { provider: anthropic, model: large }
                  local: { provider: openai-compatible, model: q:7b, base-url: "http://localhost:1/v1", key-env: K,
                    max-tokens: 512 }
                """));
        PathMapping mapping = PathMapping.same(worktree);
        assertThat(config.mcpServers(mapping))
                .containsExactly(
                        new McpServer.Program(
                                "files", "serve 'a b'", Map.of("LEVEL", "1", "N", "2"), List.of("TOKEN"), true),
                        new McpServer.Program("beside", "serve", Map.of(), List.of(), false),
                        new McpServer.Remote(
                                "docs", URI.create("https://docs.example/mcp"), Optional.of("DOCS_TOKEN")));
        assertThat(config.models(mapping))
                .containsExactly(
                        new ModelAlias(
                                "default",
                                "anthropic",
                                "large",
                                Optional.empty(),
                                Optional.empty(),
                                OptionalInt.empty()),
                        new ModelAlias(
                                "local",
                                "openai-compatible",
                                "q:7b",
                                Optional.of("http://localhost:1/v1"),
                                Optional.of("K"),
                                OptionalInt.of(512)));
        SandboxConfig again = SandboxConfig.read(write("again.yaml", config.render()));
        assertThat(again.mcpServers(mapping)).isEqualTo(config.mcpServers(mapping));
        assertThat(again.models(mapping)).isEqualTo(config.models(mapping));
    }

    @Test
    void mountWithoutSourceIsRefusedWithItsLine() throws IOException {
        Path file = write("paddock.yaml", "network: off\nmounts:\n- { source: absent, target: /a }\n");
        SandboxConfig config = SandboxConfig.read(file);
        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> policy(config))
                .withMessage(file + ":3: the mount's source does not exist: '" + directory.resolve("absent") + "'");
    }

    @Test
    void mountCannotOpenSystemOrConfigurationForWriting() throws IOException {
        SandboxConfig system =
                SandboxConfig.read(write("paddock.yaml", "mounts: [ { source: /etc, target: /a, access: rw } ]"));
        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> policy(system))
                .withMessageContaining("paddock.yaml:1: a writable mount of '/etc' would open the system directory");
        Path own = Files.createDirectory(directory.resolve("own"));
        Files.writeString(own.resolve("paddock.yaml"), "mounts: [ { source: ., target: /a, access: rw } ]");
        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> policy(SandboxConfig.read(own.resolve("paddock.yaml"))))
                .withMessageContaining("would let commands rewrite the configuration");
        Files.writeString(own.resolve("paddock.yaml"), "mounts: [ { source: ., target: /a, access: ro } ]");
        assertThat(policy(SandboxConfig.read(own.resolve("paddock.yaml"))).mounts())
                .hasSize(1);
    }
}
