package dev.paddock.executor.worktree;

import java.nio.file.Path;

/** What a settlement has done so far, and what is known of the commands before it, for examinations. */
interface Progress {

    /** Returns whether a path cannot be settled, or need not be. */
    boolean isGivenUp(Path path);

    /** Returns whether an entry at a path was removed, or could not be, during this settlement. */
    boolean hasRemoved(Path path);

    /** Returns whether a path is as it was before the commands of a session that was killed. */
    boolean isOlderThanTheCommands(Path path);
}
