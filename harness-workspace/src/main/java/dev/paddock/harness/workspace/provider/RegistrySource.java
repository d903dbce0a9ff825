package dev.paddock.harness.workspace.provider;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.tools.WorkspaceSource;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Opens the workspace of a session by a registry. */
final class RegistrySource implements WorkspaceSource {
    private final WorkspaceRegistry registry;
    private final WorkspaceProvider provider;
    private final Supplier<LazyWorkspace> declared;
    private final Optional<WorkspaceRef> only;
    /** Workspaces that could not be opened or that sessions have suspended. */
    private final Queue<LazyWorkspace> idle = new ConcurrentLinkedQueue<>();

    /**
     * Creates a source.
     *
     * @param provider of the workspace's kind
     * @param declared declares the workspace of a session that has none yet
     * @param only the reference of the one workspace that sessions may use; empty if each session has its own
     * @throws WorkspaceFailedException if the tools of a session cannot work in the workspace
     */
    RegistrySource(
            WorkspaceRegistry registry,
            WorkspaceProvider provider,
            Set<Capability> capabilities,
            Supplier<LazyWorkspace> declared,
            Optional<WorkspaceRef> only) {
        this.registry = registry;
        this.provider = provider;
        this.declared = declared;
        this.only = only;
        if (!capabilities.contains(Capability.SHELL)) {
            throw new WorkspaceFailedException("a session runs commands, but the workspace lacks the capability '"
                    + Capability.SHELL.word() + "'; declare it in the configuration");
        }
    }

    @Override
    public Optional<List<String>> allowedCommands() {
        return provider.allowedCommands();
    }

    @Override
    public Opened open() {
        return use(take(lazy -> lazy.ref().isEmpty() || only.isPresent(), declared));
    }

    @Override
    public Opened resolve(String reference) {
        WorkspaceRef ref = WorkspaceRef.parse(reference);
        if (only.isPresent() && !only.get().isSameWorkspace(ref)) {
            throw new WorkspaceFailedException("the session worked in another workspace than the one that is named;"
                    + " name that of the session, or begin a new session");
        }
        return use(take(lazy -> lazy.ref().filter(ref::isSameWorkspace).isPresent(), () -> registry.workspace(ref)));
    }

    private LazyWorkspace take(Predicate<LazyWorkspace> fits, Supplier<LazyWorkspace> another) {
        for (LazyWorkspace lazy : List.copyOf(idle)) {
            if (fits.test(lazy) && idle.remove(lazy)) {
                return lazy;
            }
        }
        return another.get();
    }

    private Opened use(LazyWorkspace lazy) {
        try {
            return new InRegistry(lazy, lazy.get());
        } catch (RuntimeException | Error failure) {
            idle.add(lazy);
            throw failure;
        }
    }

    private final class InRegistry implements Opened {
        private final LazyWorkspace lazy;
        private final Workspace open;

        InRegistry(LazyWorkspace lazy, Workspace open) {
            this.lazy = lazy;
            this.open = open;
        }

        @Override
        public String reference() {
            return open.ref().toJson();
        }

        @Override
        public PathMapping worktree() {
            return open.worktree();
        }

        @Override
        public List<Mount> mounts() {
            return open.mounts();
        }

        @Override
        public NetworkPolicy network() {
            return open.network();
        }

        @Override
        public CommandExecutor executor() {
            return open.executor();
        }

        @Override
        public CommandExecutor probing() {
            return open.probing();
        }

        @Override
        public void suspend() {
            lazy.suspend();
            idle.add(lazy);
        }
    }
}
