package dev.paddock.executor.remote.sync;

import java.nio.file.Path;

/** Decides which changes of the remote side may reach the host's worktree. */
@FunctionalInterface
public interface LandingRule {
    /** Allows every path. */
    LandingRule ALL = (path, exists) -> true;

    /**
     * Returns whether a path may be created, changed or removed on the host. Called before anything is written, even
     * for directories. A denied change is quarantined, reported, and replaced on the remote side by the host's state.
     *
     * @param path relative to the worktree
     * @param exists whether the path exists on the host
     * @return true if it may
     */
    boolean mayLand(Path path, boolean exists);
}
