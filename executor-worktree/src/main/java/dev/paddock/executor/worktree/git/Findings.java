package dev.paddock.executor.worktree.git;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of a search for repositories.
 *
 * @param repositories in the order of the search: a directory precedes those below it. A git directory with a pointer
 *     to it occurs twice, once for itself and once for the pointer
 * @param unjudged the entries that may be, lead to, or hide a repository, and that the search could not judge, each
 *     with the reason, a clause for a message such as "it is a link"
 */
public record Findings(List<Repository> repositories, Map<Path, String> unjudged) {

    public Findings {
        repositories = List.copyOf(repositories);
        unjudged = Map.copyOf(unjudged);
    }

    /**
     * Returns the repository that a {@code .git} file names.
     *
     * @param file an absolute path
     * @return empty if it does not exist, or the search could not judge it
     */
    public Optional<Repository> pointedBy(Path file) {
        return repositories.stream()
                .filter(Repository::isPointed)
                .filter(repository -> repository
                        .worktree()
                        .filter(worktree -> worktree.resolve(".git").equals(file))
                        .isPresent())
                .findFirst();
    }

    /**
     * Returns why the search could not judge an entry.
     *
     * @param entry an absolute path
     * @return empty if it could, or has not found it
     */
    public Optional<String> whyUnjudged(Path entry) {
        return Optional.ofNullable(unjudged.get(entry));
    }
}
