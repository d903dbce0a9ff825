package dev.paddock.harness.files.access;

import dev.paddock.executor.policy.ProtectedPaths;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/**
 * The rules for the files of all roots.
 *
 * @param kept the paths that are neither written nor removed, relative to the first root and to
 *     every other root; everything in a {@code .git} is kept in addition
 * @param denyRead globs of files that do not give their content: git's syntax with alternatives in
 *     braces. Without a slash a glob matches names at any depth, with one it matches paths in a root
 *     and absolute paths, both after links are resolved; a glob that matches a directory denies all
 *     that is in it. Case is ignored. While there are any, a file with several hard links gives no
 *     content either, since the names that it has elsewhere are not known
 * @param alsoKept returns whether a host path, absolute and without links, is neither written nor
 *     removed although {@code kept} does not name it
 * @since 0.1
 */
public record AccessRules(ProtectedPaths kept, List<String> denyRead, Predicate<Path> alsoKept) {

    /** Creates rules. The globs are compiled when files are opened under the rules. */
    public AccessRules {
        denyRead = List.copyOf(denyRead);
    }

    /**
     * Creates rules that keep nothing besides the names.
     *
     * @param kept as above
     * @param denyRead as above
     */
    public AccessRules(ProtectedPaths kept, List<String> denyRead) {
        this(kept, denyRead, path -> false);
    }

    /**
     * Returns these rules with additional kept paths.
     *
     * @param value the new {@link #alsoKept}, such as {@link
     *     dev.paddock.executor.CommandExecutor#isKept}
     * @return the rules
     */
    public AccessRules alsoKeeping(Predicate<Path> value) {
        return new AccessRules(kept, denyRead, value);
    }

    /**
     * Returns the rules that keep some paths and deny no content.
     *
     * @param kept the paths that are neither written nor removed
     * @return the rules
     */
    public static AccessRules keeping(ProtectedPaths kept) {
        return new AccessRules(kept, List.of());
    }

    /**
     * Returns the rules that keep the standard paths and deny no content.
     *
     * @return the rules
     */
    public static AccessRules standard() {
        return keeping(ProtectedPaths.standard());
    }
}
