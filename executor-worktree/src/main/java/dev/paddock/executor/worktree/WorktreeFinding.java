package dev.paddock.executor.worktree;

import dev.paddock.executor.worktree.git.Verdict;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/**
 * A finding of an examination of a worktree after a command, for {@link Repairer}. A stream of findings reads the
 * worktree lazily, so that each finding reflects the repairs before it.
 */
sealed interface WorktreeFinding {

    Path path();

    /**
     * An entry that a command has created, changed or removed.
     *
     * @param shared whether it has a second name, by which a later command could change it
     */
    record Judged(Path path, Verdict verdict, boolean shared) implements WorktreeFinding {

        /** Finds an entry to quarantine. */
        static Judged quarantined(Path path, String reason) {
            return new Judged(path, new Verdict.Quarantined(reason), false);
        }

        /** Finds a path to restore. */
        static Judged restored(Path path, String reason) {
            return new Judged(path, new Verdict.Restored(reason), false);
        }
    }

    /** A directory that a command made unreadable. */
    record Closed(Path path) implements WorktreeFinding {}

    /**
     * A git directory in which commands let other users write.
     *
     * @param bits the new bits of the mode, by the directory's path from the git directory
     */
    record Opened(Path path, Map<Path, Integer> bits) implements WorktreeFinding {}

    /** A file that a command made set-user-id or set-group-id. */
    record SetId(Path path) implements WorktreeFinding {}

    /**
     * A git directory that was removed, moved or replaced.
     *
     * @param originals the files in it that are restored if commands change them
     */
    record Lost(Path path, Set<Path> originals) implements WorktreeFinding {}

    /** A path that could not be examined; poisons the worktree until it can be. */
    record Unexamined(Path path, String reason) implements WorktreeFinding {}

    /** A change that stays, with a sentence on it for the user. */
    record Remark(Path path, String sentence) implements WorktreeFinding {}
}
