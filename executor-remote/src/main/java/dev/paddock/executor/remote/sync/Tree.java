package dev.paddock.executor.remote.sync;

import dev.paddock.executor.remote.sync.TreeEntry.Kind;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one side, by their paths: relative, with {@code /} between the names, and each character one byte (ISO
 * 8859-1).
 *
 * @param entries without the root itself
 * @param closed directories whose entries could not be listed, or are too deep
 * @param clock the time when the listing began, on the side's own clock, in nanoseconds since 1970
 * @param tick the resolution of that clock in nanoseconds
 */
record Tree(Map<String, TreeEntry> entries, Set<String> closed, long clock, long tick) {

    /** Deeper entries are not synchronized: each is reached through all directories above it. */
    static final int MAX_DEPTH = 256;

    /** Takes about 1 GB of memory on the host for both sides' lists; a tree with more is not synchronized. */
    static final int MAX_ENTRIES = 1_000_000;

    /** Returns why a tree with more entries is not synchronized; a command that would remove some cannot run. */
    static String tooMany(String side, int most) {
        return side + " has more than " + most
                + " files and directories, the most that are synchronized; no command runs until you remove some there";
    }

    /** Returns how many directories a path is below the root, including itself. */
    static int depth(String path) {
        return 1 + (int) path.chars().filter(letter -> letter == '/').count();
    }

    /** Returns the directories that may have entries deeper than {@link #MAX_DEPTH}. */
    List<String> tooDeep() {
        return closed.stream().filter(path -> depth(path) == MAX_DEPTH).sorted().toList();
    }

    @Nullable
    TreeEntry get(String path) {
        return entries.get(path);
    }

    Set<String> specials() {
        Set<String> found = new HashSet<>();
        entries.forEach((path, entry) -> {
            if (entry.kind() == Kind.SPECIAL) {
                found.add(path);
            }
        });
        return found;
    }

    /** Returns whether a path has its earlier entry; null for nothing. */
    static boolean isUnchanged(@Nullable TreeEntry now, @Nullable TreeEntry before) {
        return now == null ? before == null : before != null && now.isUnchangedSince(before);
    }

    /** Returns the path of the directory that contains a path; empty if that is the root. */
    static Optional<String> parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash < 0 ? Optional.empty() : Optional.of(path.substring(0, slash));
    }

    static boolean isBelow(String path, Set<String> directories) {
        for (Optional<String> each = parent(path); each.isPresent(); each = parent(each.get())) {
            if (directories.contains(each.get())) {
                return true;
            }
        }
        return false;
    }
}
