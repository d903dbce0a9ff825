package dev.paddock.executor.worktree.git;

import java.nio.file.Path;
import java.util.Set;

/**
 * Finds repositories inside a git directory other than those of submodules and linked worktrees:
 * nothing else searches there, and git obeys them when somebody works in that directory.
 */
public final class InnerRepositories {
    private InnerRepositories() {}

    /**
     * Returns whether an entry of a git directory makes git take the directory that contains it for a
     * repository.
     *
     * @param relative the entry's path from the git directory
     * @return true also for a {@code .git} whose repository is judged elsewhere
     */
    public static boolean isSign(Path gitDirectory, Path relative) {
        Path directory = relative.getParent();
        if (GitNames.isDotGit(relative)) {
            return GitNames.opensAsDotGit(gitDirectory.resolve(relative));
        }
        return directory != null
                && GitNames.is(relative, "head")
                && GitPointers.hasLayout(gitDirectory.resolve(directory));
    }

    /**
     * Returns whether an entry was such a sign before.
     *
     * @param relative the entry's path from the git directory
     * @param entries the paths of all entries that the git directory had
     */
    public static boolean wasSign(Path relative, Set<Path> entries) {
        if (!entries.contains(relative)) {
            return false;
        }
        Path directory = relative.getParent();
        return GitNames.isDotGit(relative)
                || (directory != null
                        && GitNames.is(relative, "head")
                        && (has(directory, "commondir", entries)
                                || (has(directory, "objects", entries) && has(directory, "refs", entries))));
    }

    private static boolean has(Path directory, String name, Set<Path> entries) {
        return entries.contains(directory.resolve(name))
                || entries.stream().anyMatch(entry -> directory.equals(entry.getParent()) && GitNames.is(entry, name));
    }
}
