package dev.paddock.harness.files.access;

import dev.paddock.executor.policy.ProtectedPaths;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the files of all roots.
 *
 * @since 0.1
 */
public final class AccessRules {

    private final ProtectedPaths kept;
    private final List<String> denyRead;
    private final Predicate<Path> alsoKept;

    private AccessRules(ProtectedPaths kept, List<String> denyRead, Predicate<Path> alsoKept) {
        denyRead = List.copyOf(denyRead);
        this.kept = kept;
        this.denyRead = denyRead;
        this.alsoKept = alsoKept;
    }

    /**
     * Returns rules that keep only these paths. Opening files under the rules compiles the globs.
     *
     * @param kept the paths that are neither written nor removed
     * @param denyRead globs of files whose content is denied
     * @return the rules
     */
    public static AccessRules of(ProtectedPaths kept, List<String> denyRead) {
        return new AccessRules(kept, denyRead, path -> false);
    }

    /**
     * Returns these rules with additional kept paths, besides those of earlier calls.
     *
     * @param value the test that {@link #alsoKept()} gets in addition, such as {@link
     *     dev.paddock.executor.CommandExecutor#isKept}
     * @return the rules
     */
    public AccessRules alsoKeeping(Predicate<Path> value) {
        return new AccessRules(kept, denyRead, alsoKept.or(value));
    }

    /**
     * Returns the rules that keep some paths and deny no content.
     *
     * @param kept the paths that are neither written nor removed
     * @return the rules
     */
    public static AccessRules keeping(ProtectedPaths kept) {
        return of(kept, List.of());
    }

    /** {@return the rules that keep the standard paths and deny no content} */
    public static AccessRules standard() {
        return keeping(ProtectedPaths.standard());
    }

    /**
     * {@return the paths that are neither written nor removed, relative to the first root and to every other root}
     * Everything in a {@code .git} is kept in addition.
     */
    public ProtectedPaths kept() {
        return kept;
    }

    /**
     * {@return the globs of files that do not give their content: git's syntax with alternatives in braces}
     * Without a slash a glob matches names at any depth, with one it matches paths in a root and absolute
     * paths, both after links are resolved; a glob that matches a directory denies all that is in it. Case
     * is ignored. While there are any, a file with several hard links gives no content either, since the
     * names that it has elsewhere are not known.
     */
    public List<String> denyRead() {
        return denyRead;
    }

    /**
     * {@return the test for further paths to keep: true for a host path, absolute and without links, that is neither
     * written nor removed although {@link #kept()} does not name it}
     */
    public Predicate<Path> alsoKept() {
        return alsoKept;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AccessRules that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "AccessRules" + parts();
    }

    private List<Object> parts() {
        return List.of(kept, denyRead, alsoKept);
    }
}
