package dev.paddock.harness;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.CommandResult;
import dev.paddock.executor.CommandShell;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.RunOptions;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.PathMapping;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** Runs the commands of a session's workspace: the first command opens it, disposal suspends it. */
final class WorkspaceExecutor implements CommandExecutor {
    private static final String UNOPENED = "workspace";

    private final WorkspaceSite site;

    WorkspaceExecutor(WorkspaceSite site) {
        this.site = site;
    }

    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        return site.openExecutor().spawn(command, options);
    }

    @Override
    public CommandResult run(String command, RunOptions options) throws InterruptedException {
        return site.openExecutor().run(command, options);
    }

    @Override
    public void dispose() {
        site.close();
    }

    @Override
    public boolean isDisposed() {
        return site.openedExecutor().map(CommandExecutor::isDisposed).orElse(false);
    }

    @Override
    public Optional<PathMapping> worktree() {
        return site.worktree();
    }

    @Override
    public boolean isKept(Path path) {
        return site.openedExecutor().filter(executor -> executor.isKept(path)).isPresent();
    }

    /** Returns none until the workspace is open, since its backend is unknown. */
    @Override
    public Set<Guarantee> guarantees() {
        return site.openedExecutor().map(CommandExecutor::guarantees).orElse(Set.of());
    }

    /** Returns all shells that a backend may have until the workspace is open. */
    @Override
    public Set<CommandShell> shells() {
        return site.openedExecutor()
                .map(CommandExecutor::shells)
                .orElse(Set.of(CommandShell.OWN, CommandShell.BASH_IF_PRESENT));
    }

    @Override
    public String name() {
        return site.openedExecutor().map(CommandExecutor::name).orElse(UNOPENED);
    }

    @Override
    public Optional<String> fallback() {
        return site.openedExecutor().flatMap(CommandExecutor::fallback);
    }
}
