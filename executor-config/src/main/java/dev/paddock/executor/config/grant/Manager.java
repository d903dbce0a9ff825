package dev.paddock.executor.config.grant;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A toolchain manager and the parts of its directory that programs need. The other parts contain configuration and
 * credentials.
 *
 * @param trees its directories; a {@code PATH} entry in a part of the first one belongs to this manager
 * @param variables further variables of commands that use it
 * @param hasLinks whether its directory may link to single programs elsewhere
 */
record Manager(List<Tree> trees, Map<String, String> variables, boolean hasLinks) {

    /**
     * A directory of a manager.
     *
     * @param variable the variable that names it; empty for none
     * @param place its default, relative to the home directory
     * @param isPassed whether commands receive the variable
     * @param parts the granted parts
     */
    record Tree(String variable, String place, boolean isPassed, List<String> parts) {
        Path root(UserContext user) {
            return user.path(variable).orElseGet(() -> user.home().resolve(place));
        }
    }

    /**
     * A kind of installation recognized by its contents, anywhere.
     *
     * @param marks paths below the prefix that all exist
     * @param parts the granted parts
     */
    record Prefix(List<String> marks, List<String> parts) {
        boolean is(Path prefix) {
            return marks.stream().allMatch(mark -> Files.exists(prefix.resolve(mark)));
        }
    }

    /** The managers with a fixed directory. */
    static final List<Manager> ALL = List.of(
            // Without the timeout its shims wait 60 s for a lock that they may not take. The hooks in pyenv.d make an
            // installation by pip fail, since they cannot write the shims.
            of(
                    Map.of("PYENV_REHASH_TIMEOUT", "1"),
                    tree("PYENV_ROOT", ".pyenv", "bin libexec shims versions version plugins")),
            of(Map.of(), tree("RBENV_ROOT", ".rbenv", "bin libexec shims versions version plugins rbenv.d")),
            // CARGO_HOME is never passed: it contains credentials.toml.
            of(
                    Map.of(),
                    new Tree("CARGO_HOME", ".cargo", false, List.of("bin")),
                    // Its shims fail where they would have to create the directory of hashes.
                    tree("RUSTUP_HOME", ".rustup", "toolchains settings.toml update-hashes")),
            of(Map.of(), tree("NVM_DIR", ".nvm", "versions alias")),
            of(Map.of(), tree("SDKMAN_DIR", ".sdkman", "candidates")),
            of(Map.of(), tree("ASDF_DATA_DIR", ".asdf", "shims installs plugins bin lib")),
            of(Map.of(), tree("MISE_DATA_DIR", ".local/share/mise", "shims installs plugins")),
            of(Map.of(), tree("VOLTA_HOME", ".volta", "bin tools")),
            new Manager(
                    List.of(new Tree(
                            "",
                            ".local",
                            false,
                            List.of(
                                    "bin",
                                    "share/pipx/venvs",
                                    "share/uv/tools",
                                    "share/uv/python",
                                    "lib/node_modules"))),
                    Map.of(),
                    true));

    private static final List<Prefix> PREFIXES = List.of(
            prefix("conda-meta", "bin condabin sbin lib libexec share include ssl"),
            prefix("Cellar", "bin sbin opt Cellar lib share"),
            prefix("release lib/jrt-fs.jar bin/java", "bin lib conf jmods include release legal"),
            prefix("bin/mvn boot lib", "bin boot lib conf/logging"),
            prefix("bin/gradle lib", "bin lib"),
            prefix("bin/go pkg src", "bin pkg src lib VERSION go.env"),
            prefix("lib/node_modules", "bin lib/node_modules include/node"));

    /** The packages of npm, pnpm or Yarn, whose programs are links into them. */
    private static final Prefix PACKAGES = prefix(".bin", "");

    /** Variables that name an installation; they pass only if it is granted. */
    static final List<String> HOMES = List.of(
            "JAVA_HOME", "JDK_HOME", "M2_HOME", "MAVEN_HOME", "GRADLE_HOME", "GOROOT", "CONDA_PREFIX", "NVM_BIN");

    /** Returns whether an entry of the {@code PATH} is in one of this manager's parts. */
    boolean owns(Path entry, UserContext user) {
        Tree first = trees.get(0);
        Path root = first.root(user);
        return first.parts().stream().anyMatch(part -> entry.startsWith(root.resolve(part)));
    }

    /** Returns the kind of installation in a directory. */
    static Optional<Prefix> prefixIn(Path directory) {
        return directory.endsWith("node_modules")
                ? Optional.of(PACKAGES).filter(form -> form.is(directory))
                : PREFIXES.stream().filter(form -> form.is(directory)).findFirst();
    }

    private static Manager of(Map<String, String> variables, Tree... trees) {
        return new Manager(List.of(trees), variables, false);
    }

    private static Tree tree(String variable, String place, String parts) {
        return new Tree(variable, place, true, words(parts));
    }

    private static Prefix prefix(String marks, String parts) {
        return new Prefix(words(marks), words(parts));
    }

    private static List<String> words(String text) {
        return Stream.of(text.split(" ", -1)).toList();
    }
}
