package dev.paddock.executor.worktree.git;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.EntryState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds the git directories of a worktree with a {@code .git} file, before it is guarded. */
public final class LinkedGitDirectory {
    private LinkedGitDirectory() {}

    /**
     * Reads the {@code .git} file of a worktree, as {@link RepositoryFinder} does.
     *
     * @param root the worktree, its real path
     * @return the repository behind it, with real paths; empty if the worktree has no {@code .git} file, or one that
     *     names a bare repository in the worktree
     * @throws IllegalArgumentException if the file leads to no repository, or to one elsewhere that does not name the
     *     worktree in return: commands would get access to any directory that the file names
     */
    public static Optional<Repository> of(Path root) {
        Path file = root.resolve(".git");
        if (!EntryState.of(file).is(EntryState.Kind.FILE)) {
            return Optional.empty();
        }
        Findings found = new RepositoryFinder(new Territory(roots(root, file), Set.of())).at(root);
        Optional<Repository> pointed = found.pointedBy(file);
        if (pointed.filter(repository -> isBareWithin(root, repository)).isPresent()) {
            return Optional.empty(); // the guard finds it among the repositories of the worktree
        }
        if (pointed.filter(Repository::mutual).isEmpty()) {
            throw new IllegalArgumentException(
                    "the worktree's .git file leads nowhere: '" + PathBytes.escaped(file) + "' ("
                            + pointed.map(LinkedGitDirectory::reason).orElseGet(() -> reason(found, file))
                            + "); "
                            + pointed.filter(repository -> repository.kind() != Repository.Kind.LINKED)
                                    .map(separate -> remedy(separate, root))
                                    .orElse("mend it with 'git worktree repair'"));
        }
        return pointed;
    }

    /**
     * Returns the worktree and its git directories. They are watched once the guard is open; until then only the fact
     * that they name the worktree is trusted.
     */
    private static List<Path> roots(Path root, Path file) {
        List<Path> roots = new ArrayList<>(List.of(root));
        Optional<Path> gitDirectory = GitPointers.gitFile(file).flatMap(GitPointers::real);
        gitDirectory.ifPresent(roots::add);
        gitDirectory
                .flatMap(GitPointers::commonDirectory)
                .flatMap(GitPointers::real)
                .ifPresent(roots::add);
        return roots;
    }

    /** Returns whether a repository is bare and inside the worktree, where commands can write anyway. */
    private static boolean isBareWithin(Path root, Repository repository) {
        return repository.kind() == Repository.Kind.SUBMODULE
                && repository.gitDirectory().startsWith(root)
                && GitPointers.isBare(repository.gitDirectory());
    }

    private static String remedy(Repository separate, Path root) {
        return GitPointers.isBare(separate.gitDirectory())
                ? "it is bare: name one of its worktrees, which 'git worktree list' shows"
                : "mend it there with: git config core.worktree '" + PathBytes.escaped(root) + "'";
    }

    private static String reason(Repository pointed) {
        String names = "it names '" + PathBytes.escaped(pointed.gitDirectory()) + "', ";
        return names
                + (pointed.kind() == Repository.Kind.LINKED
                        ? "which belongs to another worktree"
                        : "whose core.worktree is not this directory");
    }

    private static String reason(Findings found, Path file) {
        return found.whyUnjudged(file).orElse("it disappeared while it was read");
    }
}
