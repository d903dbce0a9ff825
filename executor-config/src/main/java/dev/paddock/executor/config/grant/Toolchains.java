package dev.paddock.executor.config.grant;

import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import java.nio.file.Path;
import java.util.List;

/**
 * Grants the programs of the user's {@code PATH}, read-only: the system's directories unchanged; of the directories of
 * known managers (pyenv, rbenv, rustup, nvm, sdkman, asdf, mise, Volta, conda, npm, Homebrew, JDKs, Maven, Gradle, Go)
 * the parts with programs, without configuration, credentials and caches; any other directory with the files that its
 * links point to.
 *
 * <p>Skips entries that are relative, contain the home directory or the worktree, are in the worktree or a directory
 * for temporary files, or that other users can change.
 *
 * <p>For executors whose commands see the host's own paths. Containers have their image's programs.
 *
 * @since 0.1
 */
public final class Toolchains {
    private final UserContext user;

    private Toolchains(UserContext user) {
        this.user = user;
    }

    /**
     * Returns the toolchains of a user.
     *
     * @param user the environment contains the {@code PATH}, which is examined when they are granted
     * @return the toolchains
     */
    public static Toolchains of(UserContext user) {
        return new Toolchains(user);
    }

    /**
     * Adds the toolchains to a policy.
     *
     * @param policy the policy
     * @return the policy with read-only mounts, and with {@code PATH} and the variables that name them
     */
    public SandboxPolicy addTo(SandboxPolicy policy) {
        return walk(policy.worktree()).grant().addTo(policy);
    }

    /**
     * Returns the entries of the {@code PATH} that are not granted.
     *
     * @param worktree the directory that commands work in
     * @return a phrase for each, with the reason
     */
    public List<String> skipped(Path worktree) {
        return walk(PathMapping.same(worktree)).skipped();
    }

    private SearchPathWalk walk(PathMapping worktree) {
        return SearchPathWalk.of(user, worktree);
    }
}
