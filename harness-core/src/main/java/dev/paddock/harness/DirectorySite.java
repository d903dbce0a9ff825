package dev.paddock.harness;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import dev.paddock.harness.tools.Tool;
import java.util.List;
import java.util.Optional;

/** A given directory, and an executor that shows it to commands. */
record DirectorySite(SandboxPolicy policy, CommandExecutor executor, WorkspaceFiles files, SessionTools own)
        implements SessionSite {

    @Override
    public List<Tool> tools() {
        return own.all();
    }

    @Override
    public Optional<PathMapping> worktree() {
        return Optional.of(policy.worktree());
    }

    @Override
    public PathMapping open() {
        return policy.worktree();
    }

    @Override
    public String describe(List<Tool> offered) {
        String text = SystemPrompt.directory(policy.worktree(), offered);
        return executor.fallback().map(why -> text + "\n\n" + why).orElse(text);
    }

    @Override
    public boolean confinesCommands() {
        return executor.guarantees().contains(Guarantee.WRITE_CONFINED);
    }

    @Override
    public List<String> takeEnded() {
        return own.takeEnded();
    }

    @Override
    public void endShells() {
        own.endShells();
    }

    @Override
    public void closeFiles() {
        files.close();
    }
}
