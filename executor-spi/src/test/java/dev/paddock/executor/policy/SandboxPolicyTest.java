package dev.paddock.executor.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.paddock.executor.policy.Mount.Access;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SandboxPolicyTest {
    private final PathMapping worktree = new PathMapping(Path.of("/home/me/tree"), "/work/tree");

    @TempDir
    private Path directory;

    @Test
    void defaults() {
        SandboxPolicy policy = SandboxPolicy.builder(worktree).build();
        assertThat(policy.worktree()).isEqualTo(worktree);
        assertThat(policy.mounts()).isEmpty();
        assertThat(policy.protectedPaths()).isEqualTo(ProtectedPaths.standard());
        assertThat(policy.protectedPaths().demand()).isEqualTo(Enforcement.BEST_EFFORT);
        assertThat(policy.network()).isEqualTo(NetworkPolicy.off());
        assertThat(policy.limits()).isEqualTo(ResourceLimits.none());
        assertThat(policy.environment()).isEqualTo(EnvironmentPolicy.empty());
    }

    @Test
    void unconfinedAsksForNothing() {
        SandboxPolicy policy = SandboxPolicy.unconfined(worktree);
        assertThat(policy.network()).isEqualTo(NetworkPolicy.open());
        assertThat(policy.protectedPaths().demand()).isEqualTo(Enforcement.BEST_EFFORT);
    }

    @Test
    void builderOfPolicyMakesEqualOne() {
        SandboxPolicy policy = SandboxPolicy.builder(worktree)
                .mount(new Mount(directory, "/data", Access.READ_ONLY))
                .protectedPaths(ProtectedPaths.of(Set.of("secrets"), Enforcement.REQUIRED))
                .network(NetworkPolicy.open())
                .limits(ResourceLimits.none().withMemory(1 << 30))
                .environment(EnvironmentPolicy.empty().with("A", "1"))
                .alias("/home/ann/project")
                .build();
        assertThat(policy.alias()).contains("/home/ann/project");
        assertThat(policy.toBuilder().alias("/elsewhere").build()).isNotEqualTo(policy);
        assertThat(policy.toBuilder().build()).isEqualTo(policy).hasSameHashCodeAs(policy);
        assertThat(policy.toBuilder().network(NetworkPolicy.off()).build()).isNotEqualTo(policy);
        assertThat(policy.toBuilder().worktree(PathMapping.same(directory)).build())
                .isNotEqualTo(policy);
    }

    @Test
    void duplicateTargetsAreRefused() {
        SandboxPolicy.Builder builder = SandboxPolicy.builder(worktree)
                .mount(new Mount(directory, "/data", Access.READ_ONLY))
                .mount(new Mount(directory, "/data/", Access.READ_WRITE));
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'/data'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/work/tree", "/work", "/work/tree/below"})
    void targetAtAboveOrInWorktreeIsRefused(String target) {
        SandboxPolicy.Builder builder =
                SandboxPolicy.builder(worktree).mount(new Mount(directory, target, Access.READ_ONLY));
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + target + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/work/treehouse", "/work/other", "/worker"})
    void targetBesideWorktreeIsAllowed(String target) {
        assertThat(SandboxPolicy.builder(worktree)
                        .mount(new Mount(directory, target, Access.READ_ONLY))
                        .build()
                        .mounts())
                .hasSize(1);
    }

    @Test
    void emptyHostAllowListIsRefused() {
        assertThatThrownBy(() -> NetworkPolicy.allow(List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThat(NetworkPolicy.allow(List.of("example.org"))).isInstanceOf(NetworkPolicy.Allow.class);
    }

    @Test
    void networkIsOffOrOpen() {
        assertThat(NetworkPolicy.parse("off")).isEqualTo(NetworkPolicy.off());
        assertThat(NetworkPolicy.parse("open")).isEqualTo(NetworkPolicy.open());
        for (String other : List.of("", "OFF", "none", "bridge", "host")) {
            assertThatThrownBy(() -> NetworkPolicy.parse(other))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("'" + other + "'");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".git/hooks",
                ".git/hooks/pre-commit",
                ".git/config",
                ".envrc",
                ".claude/settings.json",
                ".GIT/Config",
                ".g\u0131t/hook\u017f",
                ".pro\ufb01le",
                "vendor/lib/.git/hooks/post-checkout",
                "sub/.mcp.json",
                ".vscode/tasks.json",
                ".hg/hgrc",
                "sub/.zed/tasks.json",
                ".github/hooks/x.json",
                ".config/fish/config.fish"
            })
    void protectedPathsAreCovered(String path) {
        assertThat(ProtectedPaths.standard().covers(path)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".git/HEAD",
                ".git/hooks2",
                "envrc",
                ".envrc.example",
                "src/config",
                ".github/workflows/x.yml",
                ".hg/store",
                ".config/app"
            })
    void ordinaryPaths(String path) {
        assertThat(ProtectedPaths.standard().covers(path)).isFalse();
    }

    @Test
    void trailingSlashDoesNotBypassProtection() {
        ProtectedPaths paths = ProtectedPaths.of(Set.of("secrets/", "./a//b"), Enforcement.REQUIRED);
        assertThat(paths.names()).containsExactlyInAnyOrder("secrets", "a/b");
        assertThat(paths.covers("secrets/key")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/etc", "../x", "a/../../x", "a/..", "."})
    void protectedPathStaysInside(String name) {
        assertThatThrownBy(() -> ProtectedPaths.of(Set.of(name), Enforcement.REQUIRED))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + name + "'");
    }
}
