package dev.paddock.executor.sandbox.worktree.git;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a search has found.
 *
 * @param repositories in the order of the search: a directory precedes those below it. A git
 *     directory with a pointer to it occurs twice, as what it is and as what the pointer names
 * @param doubts entries that the search could not judge
 */
public record Findings(List<Repository> repositories, List<Doubt> doubts) {

    /** Creates findings. */
    public Findings {
        repositories = List.copyOf(repositories);
        doubts = List.copyOf(doubts);
    }

    /**
     * Returns the repository in whose git directory a path lies: the innermost one, since
     * submodules and linked worktrees have theirs inside another.
     *
     * @param path an absolute path
     * @return empty if it lies in none
     */
    public Optional<Repository> owner(Path path) {
        return repositories.stream()
                .filter(repository -> path.startsWith(repository.gitDirectory()))
                .max(Comparator.comparingInt(
                        repository -> repository.gitDirectory().getNameCount()));
    }
}
