package dev.paddock.harness;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.tools.Tool;
import java.util.List;
import java.util.Optional;

/** Where a session's own tools work: a given directory, or a workspace. */
interface SessionSite {

    /** Returns the executor; its disposal ends everything that runs here. */
    CommandExecutor executor();

    /** Returns the session's own tools; {@code bash} is the first. */
    List<Tool> tools();

    /** Returns the directory; empty while a workspace is not open. */
    Optional<PathMapping> worktree();

    /** Returns the directory; opens the workspace if it is not open. */
    PathMapping open();

    /** Returns text about the directory for the model. */
    String describe(List<Tool> offered);

    /**
     * Returns whether the executor confines what commands write; opens the workspace if it is not
     * open.
     */
    boolean confinesCommands();

    /** Returns notices of ended background shells that the model has not received. */
    List<String> takeEnded();

    void endShells();

    void closeFiles();

    /** Returns the workspace, if the tools work in one. */
    default Optional<WorkspaceSite> workspace() {
        return Optional.empty();
    }
}
