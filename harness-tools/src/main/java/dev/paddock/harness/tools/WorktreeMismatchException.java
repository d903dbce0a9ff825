package dev.paddock.harness.tools;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.policy.PathMapping;
import java.io.Serial;

/**
 * Reports that the file tools and the commands work in different directories: a wrong mount, or an engine on another
 * machine. No command of the model has run.
 *
 * @since 0.1
 */
public final class WorktreeMismatchException extends ExecutorException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient PathMapping worktree;

    public WorktreeMismatchException(PathMapping worktree, String found) {
        super("the host's " + worktree.hostPath() + " and the commands' " + worktree.commandPath()
                + " are not one directory: " + found + ". No command was run. Mount the host's " + worktree.hostPath()
                + " at " + worktree.commandPath()
                + " where commands run, or set execCwd to the path at which it is mounted there; an engine on another"
                + " machine cannot mount it.");
        this.worktree = worktree;
    }

    /** {@return the host path and the command path that should have named one directory} */
    public PathMapping worktree() {
        return worktree;
    }
}
