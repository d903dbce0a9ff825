package dev.paddock.executor.worktree;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.CachedDirectory;
import dev.paddock.executor.worktree.git.GitNames;
import java.nio.file.Path;
import java.util.List;

/**
 * Chooses how a directory of a git directory is listed. Object directories may have many files, which
 * need no judgement, since git checks an object by its hash. Other kinds are not allowed: git follows a
 * link to objects elsewhere, and blocks on a pipe.
 */
final class ObjectDirectories {
    private static final int IN_OBJECTS = 2;

    private ObjectDirectories() {}

    /**
     * Returns the entries to be judged.
     *
     * @param relative the directory's path from the git directory
     * @return absolute paths; where git keeps objects, those that are no regular files, and those that
     *     can make git take the directory for a repository
     */
    static List<Path> listed(Path relative, CachedDirectory directory) {
        return hasObjects(relative)
                ? directory.irregular(GitNames.INITIALS_OF_PARTS, GitNames::isPart)
                : directory.children();
    }

    /** Returns whether git may keep objects in a directory: all below {@code objects} but {@code info}. */
    private static boolean hasObjects(Path relative) {
        return relative.getNameCount() >= IN_OBJECTS
                && GitNames.is(PathBytes.of(relative.getName(0)), "objects")
                && !GitNames.is(PathBytes.of(relative.getName(1)), "info");
    }
}
