package dev.paddock.executor.config.grant;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A build tool whose downloads can outlive a session.
 *
 * @since 0.1
 */
public enum CacheKind {
    /** Maven's local repository, and the distributions of its wrapper. */
    MAVEN,
    /** npm's cache. */
    NPM,
    /** pip's cache. */
    PIP,
    /** Cargo's home: registries and git dependencies. */
    CARGO,
    /** Gradle's user home: dependencies, and the distributions of its wrapper. */
    GRADLE,
    /** sbt's own parts, and the dependencies that Coursier and Ivy fetch for it. */
    SBT,
    /** Go's modules and build cache. */
    GO,
    /** uv's cache. */
    UV,
    /** pnpm's store, from which pnpm copies: no hard link leads from one mount to another. */
    PNPM,
    /** Yarn's cache, of the first version and of later ones. */
    YARN,
    /** Bun's cache. */
    BUN,
    /** Deno's cache: npm's and JSR's packages, and modules from URLs. */
    DENO,
    /** Composer's cache. */
    COMPOSER,
    /** Bundler's cache. */
    BUNDLER,
    /** Results of ccache. */
    CCACHE,
    /** Results of sccache. */
    SCCACHE,
    /** The browsers that Playwright has installed. */
    PLAYWRIGHT;

    /** {@return the name of the kind in options and files, in lower case} */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the kind with a name.
     *
     * @param word the name
     * @return the kind; empty if there is none
     */
    public static Optional<CacheKind> find(String word) {
        return Stream.of(values()).filter(kind -> kind.word().equals(word)).findFirst();
    }

    /** {@return the names of all kinds, for people, separated by commas} */
    public static String words() {
        return Stream.of(values()).map(CacheKind::word).collect(Collectors.joining(", "));
    }

    /** Returns the variables that make the tool use a directory. */
    Map<String, String> variables(Path cache) {
        return switch (this) {
            // As a property of the JVM: MAVEN_ARGS is unknown to Maven before 3.9.
            case MAVEN ->
                Map.of(
                        "MAVEN_OPTS",
                        "-Dmaven.repo.local=" + cache.resolve("repository"),
                        "MAVEN_USER_HOME",
                        cache.toString());
            case NPM -> Map.of("npm_config_cache", cache.toString());
            case PIP -> Map.of("PIP_CACHE_DIR", cache.toString());
            case CARGO -> Map.of("CARGO_HOME", cache.toString());
            case GRADLE -> Map.of("GRADLE_USER_HOME", cache.toString());
            case SBT ->
                Map.of(
                        "COURSIER_CACHE",
                        cache.resolve("coursier").toString(),
                        "SBT_OPTS",
                        "-Dsbt.boot.directory=" + cache.resolve("boot") + " -Dsbt.ivy.home=" + cache.resolve("ivy"));
            case GO ->
                Map.of(
                        "GOMODCACHE",
                        cache.resolve("mod").toString(),
                        "GOCACHE",
                        cache.resolve("build").toString());
            case UV -> Map.of("UV_CACHE_DIR", cache.toString());
            // npm warns of npm_config_store_dir, which only the versions that know PNPM_HOME would read.
            case PNPM ->
                Map.of(
                        "PNPM_HOME",
                        cache.toString(),
                        "pnpm_config_store_dir",
                        cache.resolve("store").toString());
            case YARN -> Map.of("YARN_CACHE_FOLDER", cache.toString(), "YARN_GLOBAL_FOLDER", cache.toString());
            case BUN -> Map.of("BUN_INSTALL_CACHE_DIR", cache.toString());
            case DENO -> Map.of("DENO_DIR", cache.toString());
            case COMPOSER -> Map.of("COMPOSER_CACHE_DIR", cache.toString());
            case BUNDLER -> Map.of("BUNDLE_USER_CACHE", cache.toString());
            case CCACHE -> Map.of("CCACHE_DIR", cache.toString());
            case SCCACHE -> Map.of("SCCACHE_DIR", cache.toString());
            case PLAYWRIGHT -> Map.of("PLAYWRIGHT_BROWSERS_PATH", cache.toString());
        };
    }

    /**
     * Returns the parts of the user's cache to copy, by their paths in the new one. None of them contains credentials,
     * settings or programs of the user's.
     */
    Map<String, Path> seeds(UserContext user) {
        Map<String, Path> seeds = new LinkedHashMap<>();
        Path home = user.home();
        switch (this) {
            case MAVEN -> {
                seeds.put("repository", home.resolve(".m2/repository"));
                seeds.put("wrapper/dists", home.resolve(".m2/wrapper/dists"));
            }
            case NPM ->
                seeds.put(
                        "_cacache",
                        user.path("npm_config_cache")
                                .orElse(home.resolve(".npm"))
                                .resolve("_cacache"));
            case PIP ->
                seeds.put(
                        "",
                        user.path("PIP_CACHE_DIR")
                                .orElseGet(() -> cacheHome(user).resolve("pip")));
            case CARGO -> {
                Path own = user.path("CARGO_HOME").orElse(home.resolve(".cargo"));
                Stream.of("registry/index", "registry/cache", "git/db")
                        .forEach(part -> seeds.put(part, own.resolve(part)));
            }
            case GRADLE -> {
                Path own = user.path("GRADLE_USER_HOME").orElse(home.resolve(".gradle"));
                Stream.of("caches/modules-2", "wrapper/dists").forEach(part -> seeds.put(part, own.resolve(part)));
            }
            case SBT -> {
                seeds.put(
                        "coursier",
                        user.path("COURSIER_CACHE")
                                .orElseGet(() -> cacheHome(user).resolve("coursier/v1")));
                seeds.put("boot", home.resolve(".sbt/boot"));
                seeds.put("ivy/cache", home.resolve(".ivy2/cache"));
            }
            case GO -> {
                Path own = user.path("GOMODCACHE")
                        .orElse(user.path("GOPATH").orElse(home.resolve("go")).resolve("pkg/mod"));
                seeds.put("mod/cache/download", own.resolve("cache/download"));
            }
            case YARN ->
                seeds.put(
                        "",
                        user.path("YARN_CACHE_FOLDER")
                                .orElseGet(() -> cacheHome(user).resolve("yarn")));
            case COMPOSER ->
                seeds.put(
                        "",
                        user.path("COMPOSER_CACHE_DIR")
                                .orElseGet(() -> cacheHome(user).resolve("composer")));
            default -> {} // they link their files to one another, or hold programs, settings or results of builds
        }
        return seeds;
    }

    private static Path cacheHome(UserContext user) {
        return user.path("XDG_CACHE_HOME").orElse(user.home().resolve(".cache"));
    }
}
