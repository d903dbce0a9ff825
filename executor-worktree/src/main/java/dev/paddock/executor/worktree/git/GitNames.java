package dev.paddock.executor.worktree.git;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.FileStatus;
import dev.paddock.executor.worktree.files.NameSkeleton;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Compares names with git's as the most lenient file system does: some ignore case, some also the form of a character.
 * A matching name is a candidate; git sees it if the file system opens it under git's own spelling.
 *
 * <p>Names are {@linkplain PathBytes bytes}.
 */
public final class GitNames {
    /**
     * The first characters of the entries that make git take a directory for a repository: {@code .git} and {@code
     * HEAD}. One of them is not ASCII, and means all that are not.
     */
    public static final String INITIALS_OF_SIGNS = ".Hh\u0080";

    /** The same with {@code objects}, {@code refs} and {@code commondir}, which accompany {@code HEAD}. */
    public static final String INITIALS_OF_PARTS = INITIALS_OF_SIGNS + "OoRrCc";

    private static final Path DOT_GIT = Path.of(".git");

    private GitNames() {}

    /** Returns whether some file system takes a name for an ASCII name in lower case. */
    public static boolean is(String name, String wanted) {
        return name.equalsIgnoreCase(wanted)
                || (!NameSkeleton.isAscii(name) && NameSkeleton.ofBytes(name).equals(wanted));
    }

    public static boolean is(Path entry, String wanted) {
        Path name = entry.getFileName();
        return name != null && is(PathBytes.of(name), wanted);
    }

    public static boolean isDotGit(String name) {
        return is(name, ".git");
    }

    public static boolean isDotGit(Path entry) {
        return is(entry, ".git");
    }

    public static boolean isHead(String name) {
        return is(name, "head");
    }

    /** Returns whether a name makes its directory a candidate for a repository: {@code .git} or {@code HEAD}. */
    public static boolean isSign(String name) {
        return isDotGit(name) || isHead(name);
    }

    /**
     * Returns whether the file system opens an entry as {@code .git} in its directory; on most, the name must be exact.
     *
     * @param entry an absolute path
     */
    public static boolean opensAsDotGit(Path entry) {
        return entry.endsWith(DOT_GIT) || (isDotGit(entry) && isSame(entry, entry.resolveSibling(DOT_GIT)));
    }

    private static boolean isSame(Path one, Path other) {
        try {
            Optional<FileStatus> status = FileStatus.of(one);
            return status.isPresent()
                    && status.map(FileStatus::identity)
                            .equals(FileStatus.of(other).map(FileStatus::identity));
        } catch (IOException unreadable) {
            return true;
        }
    }

    /** Returns whether a name is {@code .git}, {@code HEAD}, or one that accompanies {@code HEAD}. */
    public static boolean isPart(String name) {
        return isDotGit(name) || isHead(name) || is(name, "objects") || is(name, "refs") || is(name, "commondir");
    }
}
