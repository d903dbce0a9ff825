package dev.paddock.executor.worktree.git;

import dev.paddock.executor.os.file.Pinned;
import dev.paddock.executor.worktree.files.SmallFile;
import dev.paddock.executor.worktree.git.config.GitConfiguration;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The configuration of a submodule, for a sandbox in which the file is a mount point. {@code git submodule update}
 * rewrites {@code core.worktree} wherever it is set, by moving another file over this one, which a mount point does not
 * permit. Without the setting git finds the same worktree by its {@code .git} file.
 */
public final class SubmoduleConfiguration {
    private static final String WORKTREE = "core.worktree";

    private SubmoduleConfiguration() {}

    /** Returns whether a path may be that of a submodule's configuration. */
    public static boolean isNamed(Path path) {
        if (path.endsWith("config")) {
            for (Path name : path) {
                if (GitNames.is(name.toString(), "modules")) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Returns the configuration without the worktree.
     *
     * @return bytes as ISO 8859-1; empty unless the file names a worktree whose {@code .git} file names the git
     *     directory in return
     */
    public static Optional<String> withoutWorktree(Path file) {
        Path directory = Pinned.parentOf(file);
        return SmallFile.read(file)
                .flatMap(GitConfiguration::parse)
                .filter(configuration -> configuration
                        .last(WORKTREE)
                        .flatMap(name -> GitPointers.resolve(directory, name))
                        .filter(worktree -> names(worktree, directory))
                        .isPresent())
                .map(configuration -> new GitConfiguration(configuration.settings().stream()
                                .filter(setting -> !setting.name().equals(WORKTREE))
                                .toList())
                        .content());
    }

    private static boolean names(Path worktree, Path directory) {
        Optional<Path> named = GitPointers.gitFile(worktree.resolve(".git")).flatMap(GitPointers::real);
        return named.isPresent() && named.equals(GitPointers.real(directory));
    }
}
