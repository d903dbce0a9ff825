package dev.paddock.cli.workspace;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.ExecutionOptions;
import dev.paddock.cli.command.LateObservers;
import dev.paddock.cli.command.SandboxFlags;
import dev.paddock.cli.command.UsageException;
import dev.paddock.cli.terminal.Console;
import dev.paddock.cli.terminal.InvocationContext;
import dev.paddock.executor.config.SandboxConfig;
import dev.paddock.executor.config.spelling.Spelling;
import dev.paddock.executor.policy.EnvironmentPolicy;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.workspace.SnapshotInfo;
import dev.paddock.harness.workspace.directory.DirectoryWorkspaceOptions;
import dev.paddock.harness.workspace.directory.DirectoryWorkspaceProvider;
import dev.paddock.harness.workspace.directory.WorkspaceEntry;
import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.Workspace;
import dev.paddock.harness.workspace.provider.WorkspaceFailedException;
import dev.paddock.harness.workspace.provider.WorkspaceRef;
import dev.paddock.harness.workspace.provider.WorkspaceRegistry;
import dev.paddock.harness.workspace.provider.WorkspaceSnapshots;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The user's workspaces: those below the state directory. Their commands are confined only by their sandboxes, so that
 * every command is allowed.
 */
public final class Workspaces {
    static final String DOCKER = "docker";
    static final String KUBERNETES = "kubernetes";
    static final String LOCAL_SANDBOX = "local-sandbox";
    static final String LOCAL_BASH = "local-bash";
    static final List<String> KINDS = List.of(DOCKER, KUBERNETES, LOCAL_SANDBOX, LOCAL_BASH);

    private final List<DirectoryWorkspaceProvider> providers;
    private final EnvironmentPolicy environment;
    private final LateObservers observers;

    private Workspaces(
            List<DirectoryWorkspaceProvider> providers, EnvironmentPolicy environment, LateObservers observers) {
        this.providers = providers;
        this.environment = environment;
        this.observers = observers;
    }

    /** Returns the observers of the connections of the workspaces' executors. */
    public LateObservers observers() {
        return observers;
    }

    /** Returns the user's workspaces, to be used without a sandbox; touches no file. */
    static Workspaces of(InvocationContext caller) {
        return of(caller, EnvironmentPolicy.empty(), (policy, executor) -> policy);
    }

    /**
     * Returns the user's workspaces, whose commands have the variables, toolchains, identity and
     * caches of the options and of the user's own configuration.
     *
     * @throws UsageException if a value is malformed
     * @throws dev.paddock.executor.config.SandboxConfigException if the file is not a valid
     *     configuration
     */
    public static Workspaces granting(Arguments arguments, InvocationContext caller, Console console) {
        SandboxConfig config = ExecutionOptions.ofWorkspaces(arguments, caller);
        EnvironmentPolicy environment = ExecutionOptions.environment(config, root(caller), arguments, caller, console);
        return of(caller, environment, config::withUserGrants);
    }

    private static Workspaces of(
            InvocationContext caller,
            EnvironmentPolicy environment,
            BiFunction<SandboxPolicy, String, SandboxPolicy> grants) {
        LateObservers observers = new LateObservers();
        Path root = root(caller);
        List<DirectoryWorkspaceProvider> providers = new ArrayList<>();
        Map<String, DirectoryWorkspaceOptions.Builder> kinds = Map.of(
                DOCKER,
                DirectoryWorkspaceProvider.docker(root),
                KUBERNETES,
                DirectoryWorkspaceProvider.kubernetes(root),
                SandboxFlags.AUTO,
                DirectoryWorkspaceProvider.localSandbox(root),
                SandboxFlags.HOST,
                DirectoryWorkspaceProvider.localBash(root));
        kinds.forEach((executor, kind) -> providers.add(kind.anyCommand()
                .environment(environment)
                .grants(policy -> grants.apply(policy, executor))
                .executorOptions(observers::addTo)
                .build()));
        return new Workspaces(List.copyOf(providers), environment, observers);
    }

    /** Returns the variables that the commands get. */
    public EnvironmentPolicy environment() {
        return environment;
    }

    /** Returns the directory of all workspaces, which need not exist. */
    static Path root(InvocationContext caller) {
        Optional<Path> state = caller.variable("XDG_STATE_HOME")
                .filter(path -> path.startsWith("/"))
                .map(Path::of);
        return state.or(() -> caller.variable("HOME")
                        .filter(path -> path.startsWith("/"))
                        .map(home -> Path.of(home, ".local", "state")))
                .orElseThrow(() -> new UsageException(
                        "you have no home directory for workspaces; set XDG_STATE_HOME to a directory of yours"))
                .resolve("paddock")
                .resolve("workspaces");
    }

    /** Returns a registry of all kinds. */
    public WorkspaceRegistry registry() {
        WorkspaceRegistry.Builder registry = WorkspaceRegistry.builder();
        providers.forEach(registry::provider);
        return registry.build();
    }

    /** Returns the provider of a kind. */
    public DirectoryWorkspaceProvider provider(String kind) {
        return providers.stream()
                .filter(provider -> provider.kind().equals(kind))
                .findFirst()
                .orElseThrow(
                        () -> new WorkspaceFailedException("paddock has no workspaces of the kind '" + kind + "'"));
    }

    /** Returns all workspaces, the oldest first. */
    List<WorkspaceEntry> list() {
        List<WorkspaceEntry> all = new ArrayList<>();
        providers.forEach(provider -> all.addAll(provider.list()));
        all.sort(Comparator.comparing(WorkspaceEntry::created));
        return all;
    }

    /**
     * Finds a workspace by its id or the beginning of it.
     *
     * @throws UsageException if there is none, or several begin so; the message names them, or the most similar one
     */
    public WorkspaceEntry find(String id) {
        List<WorkspaceEntry> all = list();
        if (all.isEmpty()) {
            throw new UsageException("there is no workspace '" + id + "', since there are none yet;"
                    + " 'paddock workspace open' makes one");
        }
        return oneOf(all, WorkspaceEntry::id, id, "workspace", "paddock workspace list");
    }

    /** Finds a snapshot of a workspace by its id or the beginning of it, as {@link #find}. */
    static SnapshotInfo find(WorkspaceEntry workspace, List<SnapshotInfo> all, String id) {
        if (all.isEmpty()) {
            throw new UsageException("there is no snapshot '" + id + "', since the workspace has none yet;"
                    + " 'paddock workspace snapshot " + workspace.id() + "' takes one");
        }
        return oneOf(all, SnapshotInfo::id, id, "snapshot", "paddock workspace snapshots " + workspace.id());
    }

    private static <T> T oneOf(List<T> all, Function<T, String> name, String given, String what, String listing) {
        List<T> found = all.stream()
                .filter(one -> !given.isEmpty() && name.apply(one).startsWith(given))
                .toList();
        Optional<T> exact =
                found.stream().filter(one -> name.apply(one).equals(given)).findFirst();
        if (exact.isPresent() || found.size() == 1) {
            return exact.orElseGet(found::getFirst);
        }
        List<String> names = (found.isEmpty() ? all : found).stream().map(name).toList();
        if (!found.isEmpty()) {
            throw new UsageException("several " + what + "s begin with '" + given + "': " + String.join(", ", names)
                    + "; give more of the id");
        }
        String nearest = Spelling.nearest(given, names)
                .map(similar -> "; did you mean " + similar + "?")
                .orElse("");
        throw new UsageException(
                "there is no " + what + " '" + given + "'" + nearest + " ('" + listing + "' shows them)");
    }

    @FunctionalInterface
    interface Use<T> {
        T of(WorkspaceSnapshots snapshots) throws IOException;
    }

    /**
     * Uses the snapshots of a workspace, without starting its sandbox.
     *
     * @throws IOException if the use does
     */
    <T> T snapshots(WorkspaceEntry entry, Use<T> use) throws IOException {
        Workspace workspace = provider(entry.ref().kind()).resolve(using(entry.ref(), Capability.SNAPSHOTS));
        try {
            return use.of(workspace
                    .snapshots()
                    .orElseThrow(() -> new WorkspaceFailedException("the workspace was opened without snapshots")));
        } finally {
            workspace.suspend();
        }
    }

    /** Returns the ids of a workspace's snapshots. */
    public Set<String> snapshotIds(WorkspaceEntry entry) throws IOException {
        return snapshots(entry, all -> all.list().stream().map(SnapshotInfo::id).collect(Collectors.toSet()));
    }

    /** Takes a snapshot of a workspace that may be open, in which no command runs. */
    public SnapshotInfo snapshot(WorkspaceEntry entry, String label) throws IOException {
        return snapshots(entry, snapshots -> snapshots.snapshot(label));
    }

    /** Opens a workspace with its sandbox; the caller suspends it. */
    Workspace open(WorkspaceEntry entry) {
        return provider(entry.ref().kind()).resolve(using(entry.ref(), Capability.SHELL));
    }

    private static WorkspaceRef using(WorkspaceRef ref, Capability capability) {
        if (!ref.capabilities().contains(capability)) {
            throw new WorkspaceFailedException("the workspace was opened without the capability '" + capability.word()
                    + "'; open another with it");
        }
        return new WorkspaceRef(ref.kind(), ref.schemaVersion(), Set.of(capability), ref.payload());
    }
}
