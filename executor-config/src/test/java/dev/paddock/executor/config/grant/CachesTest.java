package dev.paddock.executor.config.grant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.config.SandboxConfig;
import dev.paddock.executor.config.SandboxConfigBuilder;
import dev.paddock.executor.config.SandboxConfigException;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class CachesTest {
    private Surroundings host;

    @BeforeEach
    void create() throws IOException {
        host = new Surroundings();
    }

    @AfterEach
    void remove() throws IOException {
        host.close();
    }

    private SandboxPolicy policy(CacheKind kind, Caches.Scope scope, boolean fromHome) {
        return new Caches(Set.of(kind), scope, fromHome).addTo(host.policy(), host.user());
    }

    private SandboxPolicy npm() {
        return policy(CacheKind.NPM, Caches.Scope.WORKTREE, false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void cacheOutlivesSandboxAndBelongsToOneWorktree(String backend) throws Exception {
        Surroundings.run(backend, npm(), "echo kept >$npm_config_cache/file");

        assertThat(Surroundings.run(backend, npm(), "cat $npm_config_cache/file"))
                .isEqualTo("kept\n");
        Path other = Files.createDirectory(host.root.resolve("other"));
        SandboxPolicy others = new Caches(Set.of(CacheKind.NPM), Caches.Scope.WORKTREE, false)
                .addTo(SandboxPolicy.builder(PathMapping.same(other)).build(), host.user());
        Path first = npm().mounts().getFirst().source();
        assertThat(Surroundings.run(backend, others, "cat $npm_config_cache/file; echo planted >" + first + "/planted"))
                .contains("No such file")
                .doesNotContain("kept");
        assertThat(first.resolve("planted")).doesNotExist();
    }

    @Test
    void usersScopeIsShared() throws IOException {
        Path other = Files.createDirectory(host.root.resolve("other"));
        Caches shared = new Caches(Set.of(CacheKind.NPM), Caches.Scope.USER, false);

        assertThat(shared.addTo(host.policy(), host.user()).mounts())
                .isEqualTo(shared.addTo(
                                SandboxPolicy.builder(PathMapping.same(other)).build(), host.user())
                        .mounts());
    }

    @ParameterizedTest
    @EnumSource
    void usersOwnDirectoryIsNeverWritable(CacheKind kind) {
        SandboxPolicy policy = policy(kind, Caches.Scope.WORKTREE, true);

        assertThat(policy.mounts()).hasSize(1).allSatisfy(mount -> {
            assertThat(mount.access()).isEqualTo(Mount.Access.READ_WRITE);
            assertThat(mount.source()).startsWith(host.home.resolve(".cache/paddock/caches"));
        });
        assertThat(policy.environment().variables().values())
                .anyMatch(value ->
                        value.contains(policy.mounts().getFirst().source().toString()));
    }

    /** The host's cargo would run cargo from the user's own directory, and Maven its settings. */
    @ParameterizedTest
    @ValueSource(strings = {"bwrap", "landlock"})
    void copyBringsNoSettingsOrCredentialsAndChangesNothingOfUsers(String backend) throws Exception {
        Path original = host.write(".cargo/registry/cache/a.crate", "original\n");
        host.write(".cargo/credentials.toml", "secret");
        host.write(".cargo/bin/cargo", "original");
        Files.createSymbolicLink(host.home.resolve(".cargo/registry/cache/link"), original.resolveSibling("../../bin"));
        SandboxPolicy policy = policy(CacheKind.CARGO, Caches.Scope.WORKTREE, true);

        assertThat(Surroundings.run(
                        backend,
                        policy,
                        "find $CARGO_HOME -name link -o -name '*cred*' -o -name bin; cat"
                                + " $CARGO_HOME/registry/cache/a.crate"))
                .isEqualTo("original\n");
        Surroundings.run(
                backend,
                policy,
                "echo planted >$CARGO_HOME/registry/cache/a.crate; echo planted >" + host.home
                        + "/.cargo/bin/cargo; echo planted >" + original);
        assertThat(original).hasContent("original\n");
        assertThat(host.home.resolve(".cargo/bin/cargo")).hasContent("original");
        Path copy = policy.mounts().getFirst().source().resolve("registry/cache/a.crate");
        assertThat(copy).as("the control").hasContent("planted\n");
    }

    /** A later start must not write, or follow links, in what commands could prepare. */
    @Test
    void nothingOfHostWritesToCacheThatCommandsHaveChanged() throws Exception {
        Path victim = host.write("victim/file", "original");
        host.write(".npm/_cacache/content", "from home");
        SandboxPolicy policy = policy(CacheKind.NPM, Caches.Scope.WORKTREE, true);
        Surroundings.run(
                "bwrap", policy, "cd $npm_config_cache && rm -r _cacache && ln -s " + victim.getParent() + " _cacache");
        assertThat(policy.mounts().getFirst().source().resolve("_cacache"))
                .as("the control")
                .isSymbolicLink();

        policy(CacheKind.NPM, Caches.Scope.WORKTREE, true);

        assertThat(victim.getParent()).isDirectoryContaining(path -> path.equals(victim));
        assertThat(victim.resolveSibling("content")).doesNotExist();
    }

    @Test
    void linkInPlaceOfCacheIsRefused() throws IOException {
        Path cache = npm().mounts().getFirst().source();
        Files.delete(cache);
        Files.createSymbolicLink(cache, Files.createDirectory(host.home.resolve("elsewhere")));

        assertThatExceptionOfType(ExecutorException.class)
                .isThrownBy(this::npm)
                .withMessageContaining(cache.toString())
                .withMessageContaining("is no directory; remove it");
    }

    @ParameterizedTest
    @CsvSource({"MAVEN, MAVEN_OPTS, -Dmaven.repo.local=", "SBT, SBT_OPTS, -Dsbt.boot.directory="})
    void usersOptionsStay(CacheKind kind, String variable, String option) {
        SandboxPolicy own = host.policy().toBuilder()
                .environment(host.policy().environment().with(variable, "-Xmx1g"))
                .build();

        assertThat(new Caches(Set.of(kind), Caches.Scope.WORKTREE, false)
                        .addTo(own, host.user())
                        .environment()
                        .variables()
                        .get(variable))
                .startsWith("-Xmx1g " + option + host.home);
    }

    @Test
    void writableMountOfCachesIsRefusedAndReadOnlyOneIsNot() throws IOException {
        npm();
        Path caches = host.home.resolve(".cache");
        SandboxConfig readable = SandboxConfig.builder()
                .mount(new Mount(caches, "/caches", Mount.Access.READ_ONLY))
                .build();
        SandboxConfig writable = SandboxConfig.builder()
                .mount(new Mount(caches, "/caches", Mount.Access.READ_WRITE))
                .build();

        assertThat(readable.forUser(host.environment())
                        .policy(PathMapping.same(host.worktree))
                        .mounts())
                .hasSize(1);
        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> writable.forUser(host.environment()).policy(PathMapping.same(host.worktree)))
                .withMessageContaining("would let commands change the caches");
    }

    @Test
    void inWorktreeThatContainsThemCachesAreProtected() throws Exception {
        Path cache = npm().mounts().getFirst().source();
        PathMapping home = PathMapping.same(host.home);

        SandboxPolicy policy =
                SandboxConfig.defaults().forUser(host.environment()).policy(home);

        assertThat(policy.protectedPaths().names()).contains(".cache/paddock");
        Surroundings.run("bwrap", policy, "echo x >" + cache + "/planted; echo x >own");
        assertThat(cache.resolve("planted")).doesNotExist();
        assertThat(host.home.resolve("own")).as("the control").exists();
        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> SandboxConfig.builder()
                        .cache("npm")
                        .build()
                        .forUser(host.environment())
                        .policy(home))
                .withMessageContaining("covers or lies in the worktree");
    }

    @ParameterizedTest
    @ValueSource(strings = {"host", "container"})
    void whereCacheCannotBeMountedItIsRefused(String place) {
        SandboxConfigBuilder config = SandboxConfig.builder().cache("npm");
        SandboxConfig refused = (place.equals("host") ? config.executor("host") : config.container("x")).build();

        assertThatExceptionOfType(SandboxConfigException.class)
                .isThrownBy(() -> refused.forUser(host.environment()).policy(PathMapping.same(host.worktree)))
                .withMessageContaining("caches cannot be used here")
                .withMessageContaining("leave them out");
    }
}
