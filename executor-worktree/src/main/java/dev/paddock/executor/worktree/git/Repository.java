package dev.paddock.executor.worktree.git;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A repository that git finds in a directory, or would find after a small repair. All paths are absolute, and as
 * listed: their bytes are the file system's.
 *
 * @param gitDirectory the directory with {@code HEAD}
 * @param commonDirectory the directory with configuration, hooks and objects; the git directory itself if {@code
 *     commondir} is missing, or leads nowhere that the guard watches
 * @param worktree the directory whose {@code .git} it is; empty for a layout found by itself
 * @param kind how git finds it
 * @param mutual whether the git directory names the worktree in return; true if no pointer is involved
 */
public record Repository(Path gitDirectory, Path commonDirectory, Optional<Path> worktree, Kind kind, boolean mutual) {

    public enum Kind {
        /** A directory {@code .git}. */
        ORDINARY,
        /** A {@code .git} file that names one of another repository's {@code worktrees}. */
        LINKED,
        /** A {@code .git} file that names a whole git directory, usually a submodule's. */
        SUBMODULE,
        /** The files of a git directory under another name, also those below {@code .git/modules}. */
        BARE,
        /** An entry of {@code worktrees}, or another directory with {@code HEAD} and {@code commondir}. */
        RECORD
    }

    // Written out: the JDK would generate it in each JVM, at the first comparison.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Repository that
                && gitDirectory.equals(that.gitDirectory)
                && commonDirectory.equals(that.commonDirectory)
                && worktree.equals(that.worktree)
                && kind == that.kind
                && mutual == that.mutual;
    }

    @Override
    public int hashCode() {
        return 31 * (31 * gitDirectory.hashCode() + commonDirectory.hashCode()) + worktree.hashCode();
    }

    /** Returns whether a {@code .git} file names the git directory. */
    public boolean isPointed() {
        return kind == Kind.LINKED || kind == Kind.SUBMODULE;
    }
}
