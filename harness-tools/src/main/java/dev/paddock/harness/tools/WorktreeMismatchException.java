package dev.paddock.harness.tools;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.policy.PathMapping;
import java.io.Serial;

/**
 * Reports that the file tools' directory is not the one that commands run in: a wrong mount, or an
 * engine on another machine. No command of the model has run.
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

    /**
     * Returns the host path and the command-side path that should have named one directory.
     *
     * @return the mapping
     */
    public PathMapping worktree() {
        return worktree;
    }
}
