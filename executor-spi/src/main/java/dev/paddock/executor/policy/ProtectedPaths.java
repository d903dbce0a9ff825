package dev.paddock.executor.policy;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Paths of the worktree, and of every repository nested in it, that a command must not change,
 * because a program on the host would later run or obey their content: hooks, git's configuration,
 * editors' and agents' settings, shell start-up files.
 *
 * @param names the paths, relative to the root of the worktree or of a nested repository
 * @param demand whether a backend that cannot protect them refuses the policy
 */
public record ProtectedPaths(Set<String> names, Enforcement demand) {

    private static final ProtectedPaths DEFAULT = new ProtectedPaths(
            new LinkedHashSet<>(List.of(
                    ".git/hooks",
                    ".git/config",
                    ".mcp.json",
                    ".vscode",
                    ".idea",
                    ".claude",
                    ".cursor",
                    ".codex",
                    ".devcontainer",
                    ".husky",
                    ".gitconfig",
                    ".ssh",
                    ".npmrc",
                    ".yarnrc",
                    ".yarnrc.yml",
                    ".envrc",
                    ".bashrc",
                    ".bash_profile",
                    ".profile",
                    ".zshrc",
                    ".zprofile")),
            Enforcement.BEST_EFFORT);

    /**
     * Creates a set of protected paths.
     *
     * @throws IllegalArgumentException if a path is absolute, empty, or leads out of the worktree
     */
    public ProtectedPaths {
        Set<String> normal = new LinkedHashSet<>();
        for (String name : names) {
            String path = CommandPaths.normalize("/" + name);
            if (name.startsWith("/")
                    || path.equals("/")
                    || List.of(name.split("/", -1)).contains("..")) {
                throw new IllegalArgumentException("a protected path is relative and stays inside: '" + name + "'");
            }
            normal.add(path.substring(1)); // a trailing slash is no way around it
        }
        names = Collections.unmodifiableSet(normal);
    }

    /**
     * Returns the paths that are protected by default, on a best-effort basis: {@code .git/hooks},
     * {@code .git/config}, {@code .mcp.json}, {@code .vscode}, {@code .idea}, {@code .claude},
     * {@code .cursor}, {@code .codex}, {@code .devcontainer}, {@code .husky}, {@code .gitconfig},
     * {@code .ssh}, {@code .npmrc}, {@code .yarnrc}, {@code .yarnrc.yml}, {@code .envrc} and the
     * start-up files of bash, zsh and sh. A linked worktree's {@code .git} file is always protected
     * as well.
     *
     * @return the same value on each call
     */
    public static ProtectedPaths standard() {
        return DEFAULT;
    }

    /**
     * Returns the same paths with another demand.
     *
     * @param value whether a backend that cannot protect them refuses the policy
     * @return the paths
     */
    public ProtectedPaths withDemand(Enforcement value) {
        return new ProtectedPaths(names, value);
    }

    /**
     * Returns whether a path of the worktree is one of these, below one of these, or the same in a
     * nested repository.
     *
     * @param relative a path relative to the worktree's root, in plain form, with {@code /} between
     *     its parts
     * @return true if it is protected. Ignores case, since some file systems do
     */
    public boolean covers(String relative) {
        String path = "/" + relative.toLowerCase(Locale.ROOT) + "/";
        return names.stream().anyMatch(name -> path.contains("/" + name.toLowerCase(Locale.ROOT) + "/"));
    }
}
