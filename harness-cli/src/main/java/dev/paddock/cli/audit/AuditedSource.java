package dev.paddock.cli.audit;

import dev.paddock.cli.command.LateObservers;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.tools.WorkspaceSource;
import java.util.List;
import java.util.Optional;

/** Opens workspaces whose commands are recorded. */
record AuditedSource(WorkspaceSource source, LateObservers observers, CommandLineAudit trail)
        implements WorkspaceSource {

    @Override
    public Optional<List<String>> allowedCommands() {
        return source.allowedCommands();
    }

    @Override
    public Opened open() {
        return recorded(source.open());
    }

    @Override
    public Opened resolve(String reference) {
        return recorded(source.resolve(reference));
    }

    private Opened recorded(Opened opened) {
        return new Recorded(
                opened, trail.over(opened.executor(), observers, opened.worktree(), opened.mounts(), opened.network()));
    }

    private record Recorded(Opened opened, CommandExecutor executor) implements Opened {
        @Override
        public String reference() {
            return opened.reference();
        }

        @Override
        public PathMapping worktree() {
            return opened.worktree();
        }

        @Override
        public List<Mount> mounts() {
            return opened.mounts();
        }

        @Override
        public NetworkPolicy network() {
            return opened.network();
        }

        @Override
        public CommandExecutor probing() {
            return opened.probing();
        }

        @Override
        public void suspend() {
            opened.suspend();
        }
    }
}
