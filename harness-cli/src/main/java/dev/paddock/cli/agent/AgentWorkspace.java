package dev.paddock.cli.agent;

import dev.paddock.cli.audit.CommandLineAudit;
import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.ExecutionOptions;
import dev.paddock.cli.command.LateObservers;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.SandboxFlags;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.sessions.SessionNote;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.cli.workspace.Workspaces;
import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.Guarantee;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.EnvironmentPolicy;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.AgentSessionBuilder;
import dev.paddock.harness.StoredSession;
import dev.paddock.harness.tools.WorkspaceSource;
import dev.paddock.harness.workspace.directory.WorkspaceEntry;
import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.WorkspaceException;
import dev.paddock.harness.workspace.provider.WorkspaceFailedException;
import dev.paddock.harness.workspace.provider.WorkspaceRef;
import dev.paddock.harness.workspace.provider.WorkspaceRegistry;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The workspace of {@code paddock agent}: that of the options, or of a resumed session. */
final class AgentWorkspace implements CommandExecutor {
    static final Option WORKSPACE = Option.of(
            "--workspace",
            "ID",
            "works in this workspace, which 'paddock workspace' keeps,",
            "in place of a directory");
    private static final Option CHECKPOINT = Option.flag(
            "--checkpoint", "takes a snapshot of the workspace before each prompt;", "/undo goes back to it");

    static final List<Option> ALL = List.of(WORKSPACE, CHECKPOINT);

    private final WorkspaceEntry entry;
    private final WorkspaceRegistry registry;
    private final Optional<Checkpoints> checkpoints;
    private final EnvironmentPolicy environment;
    private final LateObservers observers;
    private volatile Optional<CommandExecutor> opened = Optional.empty();

    private AgentWorkspace(WorkspaceEntry entry, Workspaces workspaces, Optional<Checkpoints> checkpoints) {
        this.entry = entry;
        this.registry = workspaces.registry();
        this.checkpoints = checkpoints;
        this.environment = workspaces.environment();
        this.observers = workspaces.observers();
    }

    /**
     * Returns the workspace; empty if the session works in a directory.
     *
     * @param resumed the session to resume
     * @throws UsageException if there is no such workspace, or options contradict it
     * @throws WorkspaceException if the resumed session's workspace cannot be found
     */
    static Optional<AgentWorkspace> read(
            Arguments arguments, InvocationContext caller, Console console, Optional<StoredSession> resumed) {
        Optional<String> kept = resumed.flatMap(StoredSession::workspace);
        Optional<String> named = arguments.value(WORKSPACE);
        if (kept.isEmpty() && named.isEmpty()) {
            if (arguments.has(CHECKPOINT)) {
                throw new UsageException("--checkpoint takes snapshots of a workspace: name one with --workspace");
            }
            return Optional.empty();
        }
        for (Option option : SandboxFlags.ALL) {
            if (arguments.has(option)
                    && !option.equals(SandboxFlags.KILL_GRACE)
                    && !SandboxFlags.OF_WORKSPACES.contains(option)) {
                throw new UsageException(option.name() + " cannot be given with a workspace, which has a directory, a"
                        + " sandbox and grants of its own");
            }
        }
        Workspaces workspaces = Workspaces.granting(arguments, caller, console);
        WorkspaceEntry entry = named.isPresent()
                ? workspaces.find(named.get())
                : ofSession(workspaces, WorkspaceRef.parse(kept.orElse("")));
        if (!entry.ref().capabilities().contains(Capability.SNAPSHOTS) && arguments.has(CHECKPOINT)) {
            throw new UsageException("--checkpoint: the workspace was opened without snapshots");
        }
        List<SessionNote.Checkpoint> earlier = resumed.map(SessionNote::of)
                .map(note -> existing(note.checkpoints(), workspaces, entry))
                .orElse(List.of());
        boolean hasCheckpoints = arguments.has(CHECKPOINT) || !earlier.isEmpty();
        Optional<Checkpoints> checkpoints =
                hasCheckpoints ? Optional.of(new Checkpoints(workspaces, entry, earlier)) : Optional.empty();
        return Optional.of(new AgentWorkspace(entry, workspaces, checkpoints));
    }

    /** Drops checkpoints whose snapshots have been removed. */
    private static List<SessionNote.Checkpoint> existing(
            List<SessionNote.Checkpoint> kept, Workspaces workspaces, WorkspaceEntry entry) {
        if (kept.isEmpty()) {
            return kept;
        }
        try {
            Set<String> there = workspaces.snapshotIds(entry);
            return kept.stream().filter(one -> there.contains(one.snapshot())).toList();
        } catch (IOException unreadable) {
            throw new WorkspaceFailedException(
                    "the snapshots of the workspace " + entry.id() + " cannot be read: " + Console.text(unreadable));
        }
    }

    private static WorkspaceEntry ofSession(Workspaces workspaces, WorkspaceRef ref) {
        return workspaces
                .provider(ref.kind())
                .entry(ref.payload().getOrDefault("id", ""))
                .filter(found -> found.ref().payload().equals(ref.payload()))
                .orElseThrow(() -> new WorkspaceFailedException(
                        "the session's reference does not match the workspace with this id; begin a new session"));
    }

    /**
     * Returns a builder of a session in the workspace.
     *
     * @param trail records its commands
     */
    AgentSessionBuilder session(Arguments arguments, CommandLineAudit trail) {
        return AgentSession.builder()
                .workspace(watched(trail.over(registry.source(entry.ref()), observers)))
                .killGrace(ExecutionOptions.killGrace(arguments));
    }

    /** Returns the variables that its commands get. */
    EnvironmentPolicy environment() {
        return environment;
    }

    /** Returns the observers of connections, which serve each of its sandboxes: an undo ends one and starts another. */
    LateObservers observers() {
        return observers;
    }

    Optional<Checkpoints> checkpoints() {
        return checkpoints;
    }

    WorkspaceEntry entry() {
        return entry;
    }

    /** Records the executor of the open workspace, for the commands of a terminal. */
    private WorkspaceSource watched(WorkspaceSource source) {
        return new WorkspaceSource() {
            @Override
            public Opened open() {
                return noted(source.open());
            }

            @Override
            public Opened resolve(String reference) {
                return noted(source.resolve(reference));
            }
        };
    }

    private WorkspaceSource.Opened noted(WorkspaceSource.Opened workspace) {
        opened = Optional.of(workspace.executor());
        return workspace;
    }

    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        return opened.orElseThrow(
                        () -> new SpawnException("the workspace is not open: the first use of a tool opens it"))
                .spawn(command, options);
    }

    @Override
    public String name() {
        return opened.map(CommandExecutor::name).orElse("the workspace's sandbox");
    }

    @Override
    public Set<Guarantee> guarantees() {
        return opened.map(CommandExecutor::guarantees).orElse(Set.of());
    }

    /** Ends the workspace's commands at once, whatever the session is doing. */
    @Override
    public void dispose() {
        registry.close();
    }
}
