package dev.paddock.executor.docker.source;

import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.executor.sandbox.state.PrivateState;
import dev.paddock.executor.sandbox.worktree.ProtectionPlan;
import dev.paddock.executor.sandbox.worktree.WorktreeGuard;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Holds the guard over a container's worktree and the private state directory that the guard uses.
 */
public final class WorktreeProtection implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(WorktreeProtection.class.getName());

    private final WorktreeGuard guard;
    private final PrivateState state;
    private final Set<WorktreeGuard.Command> unsettled = new HashSet<>();
    private ProtectionPlan mounted = ProtectionPlan.NONE;

    private WorktreeProtection(WorktreeGuard guard, PrivateState state) {
        this.guard = guard;
        this.state = state;
    }

    static WorktreeProtection over(SandboxPolicy policy, Path quarantine) {
        try {
            Path root = policy.worktree().hostPath().toRealPath();
            PrivateState state = PrivateState.create(Engine.BACKEND);
            try {
                return new WorktreeProtection(
                        WorktreeGuard.open(root, policy.protectedPaths(), state.directory(), quarantine), state);
            } catch (RuntimeException fault) {
                state.close();
                throw fault;
            }
        } catch (IOException fault) {
            throw new UncheckedIOException(
                    "the worktree '" + policy.worktree().hostPath() + "' cannot be guarded", fault);
        }
    }

    /** Returns the directory that contains the state directory of every executor of this user. */
    static Path stateDirectory() {
        try {
            return PrivateState.root();
        } catch (IOException fault) {
            throw new UncheckedIOException(fault.getMessage(), fault);
        }
    }

    /** Returns the mounts that a container created now needs for protection. */
    synchronized ProtectionPlan plan() {
        mounted = guard.plan();
        return mounted;
    }

    synchronized Supplier<List<String>> watch() {
        WorktreeGuard.Command command = guard.begin(mounted);
        unsettled.add(command);
        return () -> settle(command);
    }

    private synchronized List<String> settle(WorktreeGuard.Command command) {
        unsettled.remove(command);
        return command.settle();
    }

    /**
     * Restores the worktree after commands that were lost and whose result nobody awaits. Call this
     * after they have been killed, and before others start.
     */
    synchronized void settleLost() {
        for (WorktreeGuard.Command command : List.copyOf(unsettled)) {
            settle(command).forEach(notice -> LOG.log(System.Logger.Level.WARNING, notice));
        }
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
