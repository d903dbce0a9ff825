package dev.paddock.executor.remote.sync;

import java.nio.file.Path;

/** Decides which changes of the remote side may reach the host's worktree. */
@FunctionalInterface
public interface LandingRule {
    /** Lets every path land. */
    LandingRule ALL = (path, exists) -> true;

    /**
     * Returns whether a path may be created, changed or removed on the host. Called before anything
     * is written, for directories too. What may not land is put aside, reported, and replaced on the
     * remote side by the host's state.
     *
     * @param path relative to the worktree
     * @param exists whether the host has something there
     * @return true if it may
     */
    boolean mayLand(Path path, boolean exists);
}
