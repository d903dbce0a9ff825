package dev.paddock.executor.remote.command;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.os.state.PrivateState;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.worktree.ProtectionPlan;
import dev.paddock.executor.worktree.SessionContainer;
import dev.paddock.executor.worktree.WorktreeGuard;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Predicate;

/** Holds the guard over a container's worktree and the guard's private state directory. */
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
     * @param backend the backend's name
     * @param ended as with {@link WorktreeGuard#open(Path, dev.paddock.executor.policy.ProtectedPaths, Path, Path,
     *     java.util.List, Predicate)}
     */
    public static WorktreeProtection over(
            String backend, SandboxPolicy policy, Path quarantine, Predicate<SessionContainer> ended) {
        try {
            Path root = policy.worktree().hostPath().toRealPath();
            PrivateState state = PrivateState.create(backend);
            try {
                return new WorktreeProtection(
                        WorktreeGuard.open(
                                root, policy.protectedPaths(), state.directory(), quarantine, policy.mounts(), ended),
                        state);
            } catch (RuntimeException fault) {
                state.close();
                throw fault;
            }
        } catch (IOException fault) {
            throw new ExecutorException(
                    "the worktree '" + policy.worktree().hostPath() + "' cannot be guarded: "
                            + FileFaults.reason(fault),
                    fault);
        }
    }

    /** Returns the parent of the state directories of this user's executors. */
    public static Path stateDirectory() {
        try {
            return PrivateState.root();
        } catch (IOException fault) {
            throw new ExecutorException(
                    "Paddock has no directory for its own files: " + FileFaults.reason(fault), fault);
        }
    }

    /** Returns an unused path in the private state directory. */
    public synchronized Path freePath(String name) {
        return state.directory().resolve(name + "-" + ++paths);
    }

    /** Returns whether a message names the private state directory, as that of an engine that cannot see it does. */
    public boolean isNamedIn(String message) {
        return message.contains(state.directory().toString());
    }

    /** Returns the mounts that a container created now needs for protection. */
    public synchronized ProtectionPlan plan() {
        mounted = guard.plan();
        return mounted;
    }

    /** Records a running container, before commands run in it. */
    public void runsIn(SessionContainer container) {
        guard.runsIn(container);
    }

    /** Announces a command to the guard, before it begins. */
    public synchronized WorktreeGuard.Command announce() {
        return guard.announce(mounted);
    }

    public boolean isKept(Path path) {
        return guard.isKept(path);
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
