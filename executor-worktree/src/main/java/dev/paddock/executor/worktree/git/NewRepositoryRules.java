package dev.paddock.executor.worktree.git;

import dev.paddock.executor.path.PathBytes;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Judges the location of a repository that a command created, not its entries. */
public final class NewRepositoryRules {
    /** Why the entries of a {@linkplain #misplacedLayout misplaced layout} may not stay. */
    public static final String MISPLACED =
            "it makes git take the directory for a repository, which it would use for the files and repositories in it";

    /** The same for a directory that existed before. */
    public static final String OF_OLDER_FILES =
            "it makes a repository of a directory with older files, which git would obey";

    private NewRepositoryRules() {}

    /**
     * Judges a {@code .git} file that a command has created.
     *
     * @param pointed the repository that it makes its directory a worktree of
     * @param targetIsNew whether a command has created the git directory too
     * @return allowed if both name each other, or the git directory is judged as a new one
     */
    public static Verdict judgePointer(Repository pointed, boolean targetIsNew) {
        // The settings of an existing one may name programs by relative paths, which would lead to the command's files
        // in a directory that the repository does not know.
        return pointed.mutual() || targetIsNew
                ? Verdict.allowed()
                : new Verdict.Quarantined("it points to the repository '" + PathBytes.escaped(pointed.gitDirectory())
                        + "', which belongs to another directory");
    }

    /**
     * Returns the entries whose removal makes git no longer recognize a directory as a bare repository, if it must not
     * be one: git would use it for the worktree, or for a repository below it whose own {@code .git} is damaged. The
     * other entries may be the user's and are harmless alone.
     *
     * @param bare a layout that a command has completed
     * @param findings all findings
     * @param territory the directories that the guard watches
     * @return the entries to be moved; empty if the layout may stay and be judged by its entries
     */
    public static List<Path> misplacedLayout(Repository bare, Findings findings, Territory territory) {
        Path directory = bare.gitDirectory();
        if (!isLayout(bare)) {
            return List.of(); // before the search of all findings
        }
        boolean aboveDotGit = Stream.concat(
                        findings.repositories().stream().flatMap(found -> found.worktree().stream()),
                        findings.unjudged().keySet().stream().filter(path -> path.endsWith(".git")))
                .anyMatch(path -> path.startsWith(directory));
        return (aboveDotGit || territory.roots().contains(directory))
                ? signs(directory).filter(GitPointers::exists).toList()
                : List.of();
    }

    /** Returns whether a repository is a directory that has the entries of a git directory. */
    public static boolean isLayout(Repository found) {
        return found.kind() == Repository.Kind.BARE || found.kind() == Repository.Kind.RECORD;
    }

    /** Returns the entries whose removal makes git no longer recognize a repository. */
    public static Stream<Path> signs(Path directory) {
        return Stream.of("HEAD", "commondir").map(directory::resolve);
    }

    /**
     * Returns whether an entry of a git directory makes git take its parent directory for a repository, other than a
     * submodule's or linked worktree's: nothing else searches there, and git obeys it when somebody works in that
     * directory.
     *
     * @param relative the entry's path from the git directory
     * @return true also for a {@code .git} whose repository is judged elsewhere
     */
    public static boolean isInnerSign(Path gitDirectory, Path relative) {
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
     * @param entries the paths of all earlier entries of the git directory
     */
    public static boolean wasInnerSign(Path relative, Set<Path> entries) {
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
