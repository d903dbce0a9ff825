package dev.paddock.executor.worktree;

import java.nio.file.Path;
import java.util.Set;

/**
 * The commands that are live while a worktree is examined, and those that have been.
 *
 * @param live the commands of this session; the guard changes them
 * @param alone whether only one command has begun since no command was live
 */
record Evidence(Journal journal, Set<WorktreeGuard.Command> live, boolean alone) {

    /**
     * Returns whether one command alone has run and no process of it is alive, so that nobody changes the worktree
     * while it is examined.
     */
    boolean isQuiet() {
        return alone && live.size() == 1 && !journal.isShared();
    }

    /** Returns whether every live command mounts this very file or directory read-only. */
    boolean mountedForAll(Path path, String identity) {
        return !live.isEmpty()
                && !journal.isShared()
                && live.stream().allMatch(command -> command.mounted.mounts(path, identity));
    }
}
