package dev.paddock.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.paddock.cli.TestCaller;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.CommandShell;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExecutionOptionsTest {
    @TempDir
    private Path directory;

    @BeforeEach
    void resolveLinks() throws IOException {
        directory = directory.toRealPath();
    }

    private ExecutionOptions read(String... words) {
        InvocationContext caller = TestCaller.of(
                Map.of("PLAIN", "1", "MY_TOKEN", "secret", "LC_ALL", "de_DE.UTF-8", "LD_PRELOAD", "x"), directory);
        return ExecutionOptions.read(Arguments.parse(SandboxFlags.ALL, List.of(words)), caller, new Console(caller));
    }

    @Test
    void byDefaultStrongestSandboxWithNetworkOff() {
        ExecutionOptions options = read();
        assertThat(options.executor()).isEqualTo("auto");
        assertThat(options.settings()).isEmpty();
        assertThat(options.killGrace()).isEqualTo(Duration.ofSeconds(2));
        SandboxPolicy policy = options.policy();
        assertThat(policy.network()).isEqualTo(NetworkPolicy.off());
        assertThat(policy.worktree().hostPath()).isEqualTo(directory);
        assertThat(policy.worktree().isSame()).isTrue();
        assertThat(policy.environment().variables()).isEmpty();
        assertThat(policy.limits().memoryBytes()).isEmpty();
    }

    @Test
    void hostIsAskedForNothingUnlessCallerDoes() {
        assertThat(read("--executor", "host").policy())
                .isEqualTo(SandboxPolicy.unconfined(
                        read("--executor", "host").policy().worktree()));
        assertThat(read("--executor", "host", "--network", "off").policy().network())
                .isEqualTo(NetworkPolicy.off());
    }

    @Test
    void everyOptionIsRead() throws IOException {
        Path source = Files.createDirectory(directory.resolve("tools"));
        Path worktree = Files.createDirectory(directory.resolve("tree"));
        ExecutionOptions options = read(
                "--executor",
                "docker",
                "--worktree",
                "tree",
                "--exec-cwd",
                "/work",
                "--image",
                "busybox",
                "--network",
                "open",
                "--memory",
                "512m",
                "--cpus",
                "1.5",
                "--pids",
                "64",
                "--mount",
                "tools:/opt/tools",
                "--env",
                "A=b=c",
                "--pass-env",
                "PLAIN",
                "--kill-grace",
                "0.5");
        assertThat(options.executor()).isEqualTo("docker");
        assertThat(options.settings()).isEqualTo(Map.of("image", "busybox"));
        assertThat(options.killGrace()).isEqualTo(Duration.ofMillis(500));
        SandboxPolicy policy = options.policy();
        assertThat(policy.worktree().hostPath()).isEqualTo(worktree);
        assertThat(policy.worktree().commandPath()).isEqualTo("/work");
        assertThat(policy.network()).isEqualTo(NetworkPolicy.open());
        assertThat(policy.limits().memoryBytes()).hasValue(512L << 20);
        assertThat(policy.limits().cpus()).hasValue(1.5);
        assertThat(policy.limits().processes()).hasValue(64);
        assertThat(policy.mounts()).containsExactly(new Mount(source, "/opt/tools", Mount.Access.READ_ONLY));
        assertThat(policy.environment().variables()).isEqualTo(Map.of("A", "b=c", "PLAIN", "1"));
    }

    @Test
    void shellOfOptionCountsBeforeThatOfFile() throws IOException {
        assertThat(read().shell()).isEqualTo(CommandShell.BASH_IF_PRESENT);
        Files.writeString(directory.resolve("paddock.yaml"), "shell: bash\n");
        assertThat(read().shell()).isEqualTo(CommandShell.BASH);
        assertThat(read("--shell", "sh").shell()).isEqualTo(CommandShell.OWN);
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> read("--shell", "zsh"))
                .withMessage("--shell zsh: shell is bash or sh, not 'zsh'");
    }

    @Test
    void toolchainsIdentityAndCachesOfCaller() throws IOException {
        Path home = Files.createDirectory(directory.resolve("home"));
        Path tree = Files.createDirectory(directory.resolve("tree"));
        Files.writeString(home.resolve(".gitconfig"), "[user]\n name = A\n");
        InvocationContext caller = TestCaller.of(Map.of("HOME", home.toString(), "PATH", "/usr/bin:relative"), tree);

        assertThat(variables(caller)).containsEntry("PATH", "/usr/bin").containsKey("GIT_CONFIG_SYSTEM");
        assertThat(variables(caller, "--toolchains", "off", "--identity", "none"))
                .isEmpty();
        assertThat(variables(caller, "--cache", "npm,pip", "--cache-scope", "user"))
                .containsEntry("npm_config_cache", home.toRealPath() + "/.cache/paddock/caches/user/npm")
                .containsKey("PIP_CACHE_DIR");
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> variables(caller, "--cache", "npm,nuget"))
                .withMessageContaining("there is no cache named 'nuget'");
    }

    private static Map<String, String> variables(InvocationContext caller, String... words) {
        return ExecutionOptions.read(Arguments.parse(SandboxFlags.ALL, List.of(words)), caller, new Console(caller))
                .policy()
                .environment()
                .variables();
    }

    @Test
    void credentialsAndHijackersArePassedOnlyWhenForced() {
        assertThat(read("--pass-env", "MY_TOKEN").policy().environment().variables())
                .isEmpty();
        assertThat(read("--pass-env", "MY_TOKEN!").policy().environment().variables())
                .isEqualTo(Map.of("MY_TOKEN", "secret"));
        assertThat(read("--pass-env", "LD_PRELOAD!").policy().environment().variables())
                .isEmpty();
        assertThat(read("--pass-env", "NOT_SET_HERE").policy().environment().variables())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--memory 0",
                "--memory 1k",
                "--memory -1",
                "--memory lots",
                "--memory 99999999999999999999g",
                "--memory 999999999999999999g",
                "--memory ''",
                "--cpus 0",
                "--cpus -1",
                "--cpus NaN",
                "--cpus Infinity",
                "--cpus 1e3",
                "--cpus 999999999999",
                "--pids 0",
                "--pids -1",
                "--pids 1.5",
                "--pids 99999999999",
                "--kill-grace -1",
                "--kill-grace NaN",
                "--kill-grace 3601",
                "--kill-grace 1e3",
                "--network maybe",
                "--mount x",
                "--mount missing:/x",
                "--mount /tmp:relative",
                "--mount /etc:/x:rw",
                "--mount /tmp:/x:wo",
                "--env A",
                "--env =b",
                "--env 1A=b",
                "--env UID=0",
                "--pass-env A=b",
                "--pass-env ''",
                "--worktree missing",
                "--worktree /etc/passwd",
                "--worktree ''",
                "--exec-cwd relative",
                "--exec-cwd /a/../b",
                "--image ''"
            })
    void optionsThatMakeNoSenseAreRefusedWithTheValue(String line) {
        String[] words = line.split(" ");
        words[1] = words[1].replace("''", "");
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> read(words))
                .satisfies(refused -> assertThat(refused.getMessage())
                        .doesNotContain("\n")
                        .contains(words[1].replaceFirst("=.*|:.*", "")));
    }

    @Test
    void imageAndContainerExcludeEachOther() {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> read("--image", "a", "--container", "b"))
                .withMessageContaining("--container");
    }

    @Test
    void homeAndDirectoriesAboveAreNoWorktreeUnlessAllowed() throws IOException {
        Path home = Files.createDirectories(directory.resolve("users/me"));
        Path project = Files.createDirectory(home.resolve("project"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), home);
        InvocationContext caller = TestCaller.of(Map.of("HOME", link.toString()), home);
        for (Path refused : List.of(home, directory.resolve("users"), directory, link)) {
            assertThatExceptionOfType(UsageException.class)
                    .isThrownBy(() -> read(caller, "--worktree", refused.toString()))
                    .withMessageContainingAll(
                            "the worktree '" + refused.toRealPath() + "' ", "your home directory", "--allow-home");
            assertThat(read(caller, "--worktree", refused.toString(), "--allow-home")
                            .policy()
                            .worktree()
                            .hostPath())
                    .isEqualTo(refused.toRealPath());
        }
        assertThatExceptionOfType(UsageException.class)
                .as("the current directory")
                .isThrownBy(() -> read(caller))
                .withMessageContaining("is your home directory");
        assertThat(read(caller, "--worktree", "project").policy().worktree().hostPath())
                .isEqualTo(project);
        assertThatExceptionOfType(UsageException.class)
                .as("the home directory of the user database")
                .isThrownBy(() -> read(caller, "--worktree", System.getProperty("user.home")))
                .withMessageContaining("home directory");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/", "/proc", "/proc/self/net", "/sys", "/sys/kernel", "/dev", "/etc", "/usr", "/var", "/run"})
    void directoriesOfSystemAreNoWorktree(String system) {
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> read("--worktree", system, "--allow-home"))
                .withMessageContainingAll("the worktree '/", "name a directory of a project");
    }

    @Test
    void worktreeThatCannotBeUsedIsDescribed() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        Path loop = Files.createSymbolicLink(directory.resolve("loop"), Path.of("loop"));
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> read("--worktree", "missing"))
                .withMessage("the worktree does not exist: " + directory.resolve("missing")
                        + "; create the directory, or name another with --worktree");
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> read("--worktree", "file"))
                .withMessage("the worktree is not a directory: " + file + "; name the directory that contains it");
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> read("--worktree", "file/below"))
                .withMessageContainingAll("cannot be opened", "Not a directory");
        assertThatExceptionOfType(UsageException.class)
                .isThrownBy(() -> read("--worktree", "loop"))
                .withMessageContainingAll("cannot be opened", loop.toString(), "name another with --worktree");
    }

    private static ExecutionOptions read(InvocationContext caller, String... words) {
        return ExecutionOptions.read(Arguments.parse(SandboxFlags.ALL, List.of(words)), caller, new Console(caller));
    }
}
