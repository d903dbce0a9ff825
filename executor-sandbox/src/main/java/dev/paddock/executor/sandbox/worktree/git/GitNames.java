package dev.paddock.executor.sandbox.worktree.git;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.sandbox.worktree.files.NameSkeleton;
import java.nio.file.Path;

/**
 * Compares names with those that git looks for, as the most lenient file system does: some ignore
 * case, some also the form of a character. A name that matches is a candidate; what the file system
 * really opens under git's own spelling decides whether git sees it.
 *
 * <p>Names are {@linkplain PathBytes bytes}.
 */
public final class GitNames {
    /**
     * The first characters of the entries that make git take a directory for a repository: {@code .git}
     * and {@code HEAD}. One of them is not ASCII, and stands for all that are not.
     */
    public static final String INITIALS_OF_SIGNS = ".Hh\u0080";

    /** The same with {@code objects}, {@code refs} and {@code commondir}, which accompany {@code HEAD}. */
    public static final String INITIALS_OF_PARTS = INITIALS_OF_SIGNS + "OoRrCc";

    private GitNames() {}

    /** Returns whether some file system takes a name for an ASCII name in lower case. */
    public static boolean is(String name, String wanted) {
        return name.equalsIgnoreCase(wanted)
                || (!isAscii(name) && NameSkeleton.ofBytes(name).equals(wanted));
    }

    /** Returns whether an entry has a name as {@link #is} compares names. */
    public static boolean is(Path entry, String wanted) {
        Path name = entry.getFileName();
        return name != null && is(PathBytes.of(name), wanted);
    }

    /** Returns whether a name is {@code .git}. */
    public static boolean isDotGit(String name) {
        return is(name, ".git");
    }

    /** Returns whether an entry has the name {@code .git}. */
    public static boolean isDotGit(Path entry) {
        return is(entry, ".git");
    }

    /** Returns whether a name is {@code HEAD}. */
    public static boolean isHead(String name) {
        return is(name, "head");
    }

    /** Returns whether a name is {@code .git}, {@code HEAD}, or one that accompanies {@code HEAD}. */
    public static boolean isPart(String name) {
        return isDotGit(name) || isHead(name) || is(name, "objects") || is(name, "refs") || is(name, "commondir");
    }

    static boolean isAscii(String name) {
        for (int at = 0; at < name.length(); at++) {
            if (name.charAt(at) >= 0x80) {
                return false;
            }
        }
        return true;
    }
}
