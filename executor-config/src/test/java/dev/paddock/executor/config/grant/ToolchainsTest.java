package dev.paddock.executor.config.grant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ToolchainsTest {
    private static final String SYSTEM = "/usr/local/bin:/usr/bin:/bin";

    private Surroundings host;

    @BeforeEach
    void create() throws IOException {
        host = new Surroundings();
    }

    @AfterEach
    void remove() throws IOException {
        host.close();
    }

    private SandboxPolicy granted(String... entries) {
        host.with("PATH", String.join(":", entries) + ":" + SYSTEM);
        return Toolchains.of(host.user()).addTo(host.policy());
    }

    private List<String> mounted(SandboxPolicy policy) {
        return policy.mounts().stream()
                .map(mount -> host.home.relativize(Path.of(mount.target())).toString())
                .toList();
    }

    private static String path(SandboxPolicy policy) {
        return policy.environment().variables().getOrDefault("PATH", "");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            .pyenv/shims       | .pyenv/versions/3/bin/python .pyenv/libexec/pyenv   | .pyenv/pyenv.d/exec/x     | PYENV_ROOT
            .cargo/bin         | .cargo/bin/cargo .rustup/toolchains/stable/bin/rustc | .cargo/credentials.toml | RUSTUP_HOME
            .nvm/versions/node/v20/bin | .nvm/versions/node/v20/lib/x .nvm/alias/default | .nvm/.cache/x       | NVM_DIR
            .sdkman/candidates/java/21/bin | .sdkman/candidates/java/21/lib/x         | .sdkman/etc/config      | SDKMAN_DIR
            .asdf/shims        | .asdf/installs/node/bin/node                         | .asdf/.git/config       | ASDF_DATA_DIR
            .local/share/mise/shims | .local/share/mise/installs/x/bin/x              | .local/share/mise/trusted | MISE_DATA_DIR
            """)
    void partsOfManagerWithProgramsAreGranted(String entry, String shown, String hidden, String variable)
            throws IOException {
        Files.createDirectories(host.home.resolve(entry));
        for (String file : shown.split(" ", -1)) {
            host.write(file, "");
        }
        host.write(hidden, "secret");

        SandboxPolicy policy = granted(host.home.resolve(entry).toString());

        assertThat(path(policy)).isEqualTo(host.home.resolve(entry) + ":" + SYSTEM);
        assertThat(shown.split(" ", -1))
                .allSatisfy(file -> assertThat(mounted(policy))
                        .anyMatch(part -> Path.of(file).startsWith(part)));
        assertThat(mounted(policy)).noneMatch(part -> Path.of(hidden).startsWith(part));
        assertThat(policy.mounts()).extracting(Mount::access).containsOnly(Mount.Access.READ_ONLY);
        assertThat(policy.environment().variables()).containsKey(variable).doesNotContainKey("CARGO_HOME");
    }

    @Test
    void settingsOfInstallationAreNotGranted() throws IOException {
        host.program("conda/bin/python", "conda");
        host.write("conda/conda-meta/state", "secret");
        host.write("conda/.condarc", "secret");

        assertThat(mounted(granted(host.home + "/conda/bin"))).containsExactly("conda/bin");
    }

    /** A program of npm is a link to a file that loads others of its package, and of packages around it. */
    @Test
    void installedPackagesAreGrantedWithNothingAroundThem() throws IOException {
        Path program = host.program("tools/node_modules/tool/bin/tool.js", "tool");
        host.write("tools/node_modules/dependency/index.js", "");
        host.write("tools/.npmrc", "secret");
        Path bin = Files.createDirectories(host.home.resolve("tools/node_modules/.bin"));
        Files.createSymbolicLink(bin.resolve("tool"), program);

        assertThat(mounted(granted(bin.toString()))).containsExactly("tools/node_modules");
    }

    @Test
    void filesBehindLinksOfOtherDirectoryAreGrantedWithoutTheirDirectories() throws IOException {
        Path tool = host.program("apps/tool/bin/tool", "tool");
        host.write("apps/tool/bin/secret", "secret");
        Path bin = Files.createDirectories(host.home.resolve("scripts"));
        Files.createSymbolicLink(bin.resolve("tool"), tool);
        Files.createSymbolicLink(bin.resolve("data"), Files.createDirectory(host.home.resolve("data")));

        assertThat(mounted(granted(bin.toString()))).containsExactlyInAnyOrder("scripts", "apps/tool/bin/tool");
    }

    @Test
    void unsafeEntryIsSkippedAndNamed() throws IOException {
        Path writable = Files.createDirectories(host.home.resolve("shared/bin"));
        Files.setPosixFilePermissions(writable, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path outside = Files.createDirectory(host.home.resolve("secrets"));
        Path inside = Files.createSymbolicLink(host.worktree.resolve("bin"), outside);
        Path temporary = Files.createTempDirectory("paddock-path-");
        try {
            List<String> entries = List.of(
                    "relative", host.home.toString(), writable.toString(), inside.toString(), temporary.toString());
            SandboxPolicy policy = granted(entries.toArray(String[]::new));

            assertThat(path(policy)).isEqualTo(SYSTEM);
            assertThat(policy.mounts()).isEmpty();
            List<String> skipped = Toolchains.of(host.user()).skipped(host.worktree);
            assertThat(skipped).hasSize(entries.size());
            assertThat(skipped.get(2)).contains("others can write to");
            assertThat(skipped.get(3)).contains("a link in the worktree leads there");
        } finally {
            Files.delete(temporary);
        }
    }

    @Test
    void worktreesOwnProgramsStayOnPath() throws IOException {
        Path programs = Files.createDirectories(host.worktree.resolve(".venv/bin"));
        Path link = Files.createSymbolicLink(host.home.resolve("link"), host.worktree);
        host.with("VIRTUAL_ENV", link + "/.venv");
        SandboxPolicy policy = granted(link + "/.venv/bin", host.worktree.toString());

        assertThat(path(policy)).isEqualTo(programs + ":" + SYSTEM);
        assertThat(policy.environment().variables()).containsEntry("VIRTUAL_ENV", host.worktree + "/.venv");
        assertThat(policy.mounts()).isEmpty();
        assertThat(Toolchains.of(host.user()).skipped(host.worktree))
                .as("the worktree itself")
                .hasSize(1);
    }

    @Test
    void homeVariablePassesOnlyIfItsDirectoryIsGranted() throws IOException {
        host.program("jdk/bin/java", "java");
        host.write("jdk/release", "");
        host.write("jdk/lib/jrt-fs.jar", "");
        host.with("JAVA_HOME", host.home + "/jdk").with("GOROOT", host.home + "/go");

        SandboxPolicy policy = granted(host.home + "/jdk/bin");

        assertThat(policy.environment().variables())
                .containsEntry("JAVA_HOME", host.home + "/jdk")
                .doesNotContainKey("GOROOT");
        assertThat(mounted(granted())).isEmpty();
        assertThat(granted().environment().variables()).doesNotContainKey("JAVA_HOME");
    }

    @Test
    void policysOwnVariablesAndMountsCount() throws IOException {
        Path bin = host.program("tools/tool", "tool").getParent();
        host.with("PATH", bin + ":" + SYSTEM);
        Mount own = new Mount(host.home, host.home.toString(), Mount.Access.READ_ONLY);
        SandboxPolicy policy = host.policy().toBuilder()
                .mount(own)
                .environment(host.policy().environment().with("PATH", "/own"))
                .build();

        SandboxPolicy granted = Toolchains.of(host.user()).addTo(policy);

        assertThat(granted.mounts()).containsExactly(own);
        assertThat(path(granted)).isEqualTo("/own");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void commandsRunProgramsAndCannotChangeThem(String backend) throws Exception {
        Path bin = host.program(".cargo/bin/own-tool", "granted")
                .resolveSibling("")
                .normalize();
        host.write(".cargo/credentials.toml", "secret");
        SandboxPolicy policy = granted(bin.toString());

        assertThat(Surroundings.run(backend, policy, "own-tool")).isEqualTo("granted\n");
        assertThat(Surroundings.run(backend, host.policy(), "own-tool"))
                .as("without the grant")
                .contains("not found");
        Surroundings.run(
                backend, policy, "echo planted >" + bin + "/own-tool; echo planted >" + bin + "/other; echo x >own");
        assertThat(bin).isDirectoryContaining("glob:**/own-tool").isDirectoryNotContaining("glob:**/other");
        assertThat(bin.resolve("own-tool")).content().contains("granted");
        assertThat(host.worktree.resolve("own")).as("the control").exists();
        assertThat(Surroundings.run(backend, policy, "cat " + bin + "/../credentials.toml"))
                .doesNotContain("secret");
    }
}
