package dev.paddock.executor.docker.source;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.state.PrivateState;
import dev.paddock.executor.sandbox.worktree.ProtectionPlan;
import dev.paddock.executor.sandbox.worktree.SessionContainer;
import dev.paddock.executor.sandbox.worktree.WorktreeGuard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Predicate;

/**
 * Holds the guard over a container's worktree and the private state directory that the guard uses.
 */
public final class WorktreeProtection implements AutoCloseable {
    private final WorktreeGuard guard;
    private final PrivateState state;
    private int paths;
    private ProtectionPlan mounted = ProtectionPlan.NONE;

    private WorktreeProtection(WorktreeGuard guard, PrivateState state) {
        this.guard = guard;
        this.state = state;
    }

    /**
     * Guards the worktree of a policy; the caller closes the result.
     *
     * @param ended as with {@link WorktreeGuard#open(Path, dev.paddock.executor.policy.ProtectedPaths, Path,
     *     Path, Predicate)}
     */
    static WorktreeProtection over(SandboxPolicy policy, Path quarantine, Predicate<SessionContainer> ended) {
        try {
            Path root = policy.worktree().hostPath().toRealPath();
            PrivateState state = PrivateState.create(Engine.BACKEND);
            try {
                return new WorktreeProtection(
                        WorktreeGuard.open(root, policy.protectedPaths(), state.directory(), quarantine, ended), state);
            } catch (RuntimeException fault) {
                state.close();
                throw fault;
            }
        } catch (IOException fault) {
            throw new ExecutorException(
                    "the worktree '" + policy.worktree().hostPath() + "' cannot be guarded: " + fault.getMessage(),
                    fault);
        }
    }

    /** Returns the directory that contains the state directory of every executor of this user. */
    static Path stateDirectory() {
        try {
            return PrivateState.root();
        } catch (IOException fault) {
            throw new ExecutorException("Paddock has no directory for its own files: " + fault.getMessage(), fault);
        }
    }

    /** Returns a path in the private state directory at which nothing exists. */
    synchronized Path freePath(String name) {
        return state.directory().resolve(name + "-" + ++paths);
    }

    /** Returns the mounts that a container created now needs for protection. */
    synchronized ProtectionPlan plan() {
        mounted = guard.plan();
        return mounted;
    }

    /** Records a container that runs, before commands run in it. */
    void runsIn(SessionContainer container) {
        guard.runsIn(container);
    }

    synchronized WorktreeGuard.Command announce() {
        return guard.announce(mounted);
    }

    @Override
    public void close() {
        try {
            guard.close();
        } finally {
            state.close();
        }
    }
}
