package dev.paddock.harness.tools.hint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ResourceLimits;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandHintsTest {
    private static final Set<Guarantee> KEPT = EnumSet.allOf(Guarantee.class);

    @TempDir
    private Path bin;

    private SandboxPolicy policy;

    @BeforeEach
    void create() throws IOException {
        Path tool = Files.writeString(bin.resolve("cargo"), "");
        Files.setPosixFilePermissions(tool, PosixFilePermissions.fromString("rwxr-xr-x"));
        policy = SandboxPolicy.builder(PathMapping.same(Path.of("/work"))).build();
    }

    private CommandHints hints(Set<Guarantee> guarantees, boolean seesHostPaths) {
        return new CommandHints(new SandboxFacts(policy, guarantees, "/nowhere:" + bin, seesHostPaths));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sh: 1: cargo: not found\n",
                "bash: line 1: cargo: command not found\n",
                "/usr/bin/env: 'cargo': No such file or directory",
                "building\nsh: cargo: not found"
            })
    void aProgramOfTheHostIsNamedWithTheOptionThatGrantsIt(String output) {
        assertThat(hints(KEPT, true).after(127, output))
                .singleElement()
                .asString()
                .contains(bin + ",", "--toolchains path", "--mount " + bin);
        assertThat(hints(KEPT, false).after(127, output))
                .singleElement()
                .asString()
                .contains("image");
        assertThat(hints(KEPT, true).after(1, output)).as("another failure").isEmpty();
        assertThat(hints(Set.of(), true).after(127, output)).as("on the host").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sh: 1: nothing: not found", "sh: 1: ../cargo: not found", "", "cargo"})
    void aProgramThatTheHostDoesNotHaveIsNot(String output) {
        assertThat(hints(KEPT, true).after(127, output)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "curl: (6) Could not resolve host: example.org",
                "Temporary failure in name resolution",
                "npm error code EAI_AGAIN",
                "java.net.UnknownHostException: repo.maven.apache.org"
            })
    void aFailedLookUpNamesTheNetworkOnlyIfItIsOff(String output) {
        assertThat(hints(KEPT, true).after(6, output))
                .singleElement()
                .asString()
                .contains("--network open");
        assertThat(hints(KEPT, true).after(0, output)).isEmpty();
        policy = policy.toBuilder().network(NetworkPolicy.open()).build();
        assertThat(hints(EnumSet.complementOf(EnumSet.of(Guarantee.NETWORK_OFF)), true)
                        .after(6, output))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Could not create local repository at /root/.m2/repository: Permission denied     | maven
            npm error Error: EROFS: read-only file system, mkdir '/home/me/.npm/_cacache'    | npm
            failed to open: /home/me/.cargo/registry/x: Permission denied (os error 13)      | cargo
            java.nio.file.AccessDeniedException: /home/me/.gradle/caches                     | gradle
            """)
    void aRefusedCacheNamesItsOption(String output, String kind) {
        assertThat(hints(KEPT, true).after(1, output))
                .singleElement()
                .asString()
                .contains("--cache " + kind);
        assertThat(hints(KEPT, true).after(1, output.replace("/.", "/"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Cannot access central (https://x) in offline mode and the artifact g:a:jar:1 has not been | maven
            npm error code ENOTCACHED                                                                 | npm
            As a reminder, you're using offline mode (--offline) which can sometimes cause            | cargo
            > No cached version of com.google.guava:guava:20.0 available for offline mode.            | gradle
            main.go:2:8: module lookup disabled by GOPROXY=off                                        | go
            ERROR: No matching distribution found for requests                                        | pip
            """)
    void aDependencyThatIsMissingNamesTheCacheUnlessItIsGranted(String output, String kind) throws IOException {
        assertThat(hints(KEPT, true).after(1, output))
                .singleElement()
                .asString()
                .contains("--cache " + kind, "--cache-from-home");
        assertThat(hints(Set.of(), true).after(1, output)).as("on the host").isEmpty();
        Path cache = Files.createDirectory(bin.resolve(kind + "-from-home"));
        policy = policy.toBuilder()
                .mount(new Mount(cache, cache.toString(), Mount.Access.READ_WRITE))
                .build();
        assertThat(hints(KEPT, true).after(1, output)).as("granted").isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "mise ERROR No version is set for shim: node, --env MISE_NODE_VERSION=",
        "No version is set for command node, --env ASDF_NODEJS_VERSION=",
        "No version is set for command python3, .tool-versions",
        "direnv: error /work/.envrc is blocked. Run `direnv allow`, direnv exec . paddock"
    })
    void aManagerWithoutItsSettingsIsHelped(String output, String remedy) {
        assertThat(hints(KEPT, true).after(1, output))
                .singleElement()
                .asString()
                .contains(remedy);
        assertThat(hints(Set.of(), true).after(1, output)).as("on the host").isEmpty();
    }

    @Test
    void theDescriptionNamesWhatCommandsMayUse() {
        policy = policy.toBuilder()
                .mount(new Mount(bin, "/cache", Mount.Access.READ_WRITE))
                .limits(ResourceLimits.none().withMemory(512L << 20))
                .environment(policy.environment().with("GIT_CONFIG_SYSTEM", "/x"))
                .build();

        assertThat(SandboxDescription.of(new SandboxFacts(policy, KEPT, "", true)))
                .contains("The network is off", "may write to the worktree, $HOME, /cache", ".git/hooks")
                .contains("Limits: 512 MiB of memory", "512 processes", "Git has the user's name");
        assertThat(SandboxDescription.of(new SandboxFacts(policy, Set.of(), "", true)))
                .isEqualTo("The network is open. Commands have the rights of the user who runs the session.");
    }
}
