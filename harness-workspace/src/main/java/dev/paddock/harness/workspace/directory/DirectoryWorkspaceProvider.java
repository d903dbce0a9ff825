package dev.paddock.harness.workspace.directory;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.files.access.AccessRules;
import dev.paddock.harness.files.access.FileRoot;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import dev.paddock.harness.workspace.SnapshotInfo;
import dev.paddock.harness.workspace.TreeChangedException;
import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.Workspace;
import dev.paddock.harness.workspace.provider.WorkspaceConfig;
import dev.paddock.harness.workspace.provider.WorkspaceEvictedException;
import dev.paddock.harness.workspace.provider.WorkspaceFailedException;
import dev.paddock.harness.workspace.provider.WorkspaceProvider;
import dev.paddock.harness.workspace.provider.WorkspaceRef;
import dev.paddock.harness.workspace.provider.WorkspaceSnapshots;
import dev.paddock.harness.workspace.snapshot.TreeCopy;
import dev.paddock.harness.workspace.support.FileLock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps workspaces in directories of this machine, and runs their commands in one of its sandboxes.
 *
 * <p>Four kinds: {@code docker}, a container of the image in the setting {@code image}, which shows the directory as
 * {@code /workspace}; {@code kubernetes}, a pod of the image, or of the template in the setting {@code claim}, whose
 * claim is kept with the workspace; {@code local-sandbox}, the strongest usable kernel sandbox or the one in the
 * setting {@code isolation}; {@code local-bash}, the host itself, where nothing confines commands. Further settings are
 * the backend's.
 *
 * <p>All workspaces are below one root, which only the user can enter. A reference names a directory there and contains
 * its nonce; the grants of commands are read from the directory. Linux on x86-64 and AArch64 only: elsewhere every call
 * fails. Thread-safe.
 *
 * @since 0.1
 */
public final class DirectoryWorkspaceProvider implements WorkspaceProvider {
    private static final Logger LOG = LateLogger.of(DirectoryWorkspaceProvider.class);

    private final WorkspaceKind kind;
    private final Path root;
    private final DirectoryWorkspaceOptions options;
    private final Sandboxes sandboxes;
    private final WorkspaceReferences references;

    DirectoryWorkspaceProvider(WorkspaceKind kind, Path root, DirectoryWorkspaceOptions options) {
        this.kind = kind;
        this.root = root;
        this.options = options;
        this.sandboxes = new Sandboxes(kind, options.executors(), options.executorOptions());
        this.references = new WorkspaceReferences(kind);
    }

    /**
     * Returns a builder for workspaces of the kind {@code docker}.
     *
     * @param root the directory of all workspaces; created if it does not exist. Workspaces in a directory that is
     *     cleared from time to time, such as {@code /tmp}, are lost
     * @return the builder
     */
    public static DirectoryWorkspaceOptions.Builder docker(Path root) {
        return new DirectoryWorkspaceOptions.Builder(WorkspaceKind.DOCKER, root);
    }

    /**
     * Returns a builder for workspaces of the kind {@code kubernetes}: the directory is here, and
     * synchronized with a pod around each command.
     *
     * @param root as for {@link #docker}
     * @return the builder
     */
    public static DirectoryWorkspaceOptions.Builder kubernetes(Path root) {
        return new DirectoryWorkspaceOptions.Builder(WorkspaceKind.KUBERNETES, root);
    }

    /**
     * Returns a builder for workspaces of the kind {@code local-sandbox}.
     *
     * @param root as for {@link #docker}
     * @return the builder
     */
    public static DirectoryWorkspaceOptions.Builder localSandbox(Path root) {
        return new DirectoryWorkspaceOptions.Builder(WorkspaceKind.LOCAL_SANDBOX, root);
    }

    /**
     * Returns a builder for workspaces of the kind {@code local-bash}, whose commands only the list of allowed ones
     * restricts.
     *
     * @param root as for {@link #docker}
     * @return the builder
     */
    public static DirectoryWorkspaceOptions.Builder localBash(Path root) {
        return new DirectoryWorkspaceOptions.Builder(WorkspaceKind.LOCAL_BASH, root);
    }

    @Override
    public String kind() {
        return kind.word();
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.values());
    }

    @Override
    public Optional<List<String>> allowedCommands() {
        return options.rule().programs();
    }

    @Override
    public Workspace open(WorkspaceConfig config) {
        if (!config.kind().equals(kind.word())) {
            throw new IllegalArgumentException(
                    "this provider opens workspaces of the kind '" + kind.word() + "', not '" + config.kind() + "'");
        }
        sandboxes.check(config.settings());
        WorkspaceDirectory directory = onDisk(
                "opened",
                () -> root().create(WorkspaceRecord.create(config, List.of()), files -> content(config, files)));
        directory.keeps(sandboxes.kept(directory.record()));
        try {
            return start(directory, config.capabilities());
        } catch (RuntimeException | Error fault) {
            undo(directory::remove, fault);
            throw fault;
        }
    }

    private static List<Path> content(WorkspaceConfig config, Path files) throws IOException {
        return config.source().isPresent()
                ? TreeCopy.copy(config.source().get(), files).borrowed()
                : WorkspaceRoot.empty(files);
    }

    @Override
    public Workspace resolve(WorkspaceRef ref) {
        WorkspaceDirectory directory = find(ref, false);
        try {
            return start(directory, ref.capabilities());
        } catch (IllegalArgumentException unusable) {
            WorkspaceFailedException failed = new WorkspaceFailedException(
                    "the workspace's configuration cannot be used: " + unusable.getMessage(), false, unusable);
            leave(directory, failed);
            throw failed;
        } catch (RuntimeException | Error fault) {
            leave(directory, fault);
            throw fault;
        }
    }

    /**
     * Unlocks the directory, and suspends the parts outside of it, which a failed start may have
     * resumed.
     */
    private static void leave(WorkspaceDirectory directory, Throwable fault) {
        undo(directory::suspend, fault);
        undo(directory::close, fault);
    }

    @Override
    public void remove(WorkspaceRef ref) {
        WorkspaceDirectory directory = find(ref, true);
        onDisk("removed", () -> {
            try (directory) {
                directory.remove();
                return ref;
            }
        });
    }

    private WorkspaceDirectory find(WorkspaceRef ref, boolean alone) {
        references.require(ref);
        WorkspaceDirectory found =
                onDisk("resolved", () -> root().find(references.id(ref), references.nonce(ref), alone));
        try {
            references.requireGranted(ref, found.record().config());
        } catch (WorkspaceFailedException wider) {
            undo(found::close, wider);
            throw wider;
        }
        found.keeps(sandboxes.kept(found.record()));
        return found;
    }

    /**
     * Returns the existing workspaces of this kind, the oldest first. Skips and logs a directory that no provider
     * created.
     *
     * @return the workspaces
     * @throws WorkspaceFailedException if the root cannot be read
     */
    public List<WorkspaceEntry> list() {
        List<WorkspaceEntry> all = new ArrayList<>();
        for (String id : onDisk("listed", () -> root().ids())) {
            try {
                entry(id).ifPresent(all::add);
            } catch (WorkspaceEvictedException gone) {
                LOG.log(Level.DEBUG, "The workspace " + id + " was removed meanwhile");
            } catch (WorkspaceFailedException passedOver) {
                LOG.log(Level.WARNING, "The workspace " + id + " is not listed: " + passedOver.getMessage());
            }
        }
        all.sort((one, other) -> one.created().compareTo(other.created()));
        return all;
    }

    /**
     * Finds a workspace by its id.
     *
     * @param id the id
     * @return the workspace; empty if it is of another kind
     * @throws WorkspaceEvictedException if it does not exist
     * @throws WorkspaceFailedException if no provider created its directory
     */
    public Optional<WorkspaceEntry> entry(String id) {
        return onDisk("found", () -> {
            WorkspaceRoot where = root();
            WorkspaceRecord record = where.record(id);
            return record.config().kind().equals(kind.word())
                    ? Optional.of(new WorkspaceEntry(
                            references.to(record),
                            id,
                            where.files(id),
                            kind.network(record.config()),
                            record.created(),
                            where.lastUse(id)))
                    : Optional.empty();
        });
    }

    /**
     * Rolls a workspace's files back to one of its snapshots, in place: the workspace keeps its id, its paths and its
     * snapshots. It must not be open, since a sandbox would continue with the replaced files. The previous files are
     * kept as a snapshot, and are replaced completely or not at all, however the process ends.
     *
     * @param ref the reference
     * @param snapshot the id of the snapshot
     * @return the snapshot of the previous files
     * @throws WorkspaceEvictedException if the workspace no longer exists
     * @throws WorkspaceFailedException if the workspace is open, in this process or another, which is transient; or if
     *     the files contain something that no snapshot can keep, which would be lost
     * @throws IOException if there is no such snapshot, or it is damaged, the quota of the snapshots is exceeded, or
     *     files cannot be read or written
     */
    public SnapshotInfo rollBack(WorkspaceRef ref, String snapshot) throws IOException {
        try (WorkspaceDirectory directory = find(ref, true)) {
            return RollBack.to(snapshot, directory, options.maxSnapshotBytes());
        }
    }

    /**
     * Removes the workspaces of this kind that are not open and have not been used for a time. A program may still have
     * references to them: choose a time after which none is used.
     *
     * @param unused the time since the last use
     * @return the ids of the removed workspaces
     * @throws WorkspaceFailedException if one cannot be removed
     */
    public List<String> removeUnused(Duration unused) {
        Instant before = Instant.now().minus(unused);
        List<String> removed = new ArrayList<>();
        for (WorkspaceEntry entry : list()) {
            if (entry.used().isBefore(before)) {
                try {
                    if (removeIfUnused(entry, before)) {
                        removed.add(entry.id());
                    }
                } catch (WorkspaceEvictedException gone) {
                    LOG.log(Level.DEBUG, "The workspace " + entry.id() + " was removed meanwhile");
                } catch (WorkspaceFailedException open) {
                    if (!open.isTransient()) {
                        throw open;
                    }
                }
            }
        }
        return removed;
    }

    private boolean removeIfUnused(WorkspaceEntry entry, Instant before) {
        WorkspaceDirectory directory = find(entry.ref(), true);
        return onDisk("removed", () -> {
            try (directory) {
                boolean unused = root().lastUse(entry.id()).isBefore(before); // nor since it was listed
                if (unused) {
                    directory.remove();
                }
                return unused;
            }
        });
    }

    private WorkspaceRoot root() throws IOException {
        return WorkspaceRoot.open(root);
    }

    private Workspace start(WorkspaceDirectory directory, Set<Capability> used) {
        WorkspaceRecord record = directory.record();
        PathMapping worktree = kind.worktree(directory.files());
        SandboxPolicy policy = options.policy(kind, worktree, record);
        Set<Capability> capabilities = EnumSet.copyOf(used);
        LiveCommands commands = onDisk("opened", () -> {
            directory.touch();
            return new LiveCommands(FileLock.open(directory.commands()));
        });
        Optional<CommandExecutor> sandbox = Optional.empty();
        try {
            if (capabilities.contains(Capability.SHELL)) {
                sandbox = Optional.of(sandboxes.start(policy, record));
            }
            return new DirectoryWorkspace(
                    references.to(record, capabilities),
                    policy,
                    directory,
                    commands,
                    sandbox.map(one -> new GuardedExecutor(one, GuardedExecutor.Rules.NONE, commands)),
                    sandbox.map(one -> new GuardedExecutor(one, options.rules(kind, policy), commands)),
                    capabilities.contains(Capability.FILES) ? Optional.of(files(policy, sandbox)) : Optional.empty(),
                    capabilities.contains(Capability.SNAPSHOTS)
                            ? Optional.of(snapshots(directory, commands))
                            : Optional.empty());
        } catch (RuntimeException | Error fault) {
            sandbox.ifPresent(one -> undo(one::dispose, fault));
            undo(commands::close, fault);
            throw fault;
        }
    }

    private WorkspaceSnapshots snapshots(WorkspaceDirectory directory, LiveCommands commands) {
        return new DirectorySnapshots(
                onDisk("opened", this::root), directory, commands, options.maxSnapshotBytes(), references::to);
    }

    private static WorkspaceFiles files(SandboxPolicy policy, Optional<CommandExecutor> sandbox) {
        List<FileRoot> roots = new ArrayList<>(List.of(FileRoot.of(policy.worktree())));
        policy.mounts().forEach(mount -> roots.add(FileRoot.of(mount)));
        try {
            return WorkspaceFiles.open(
                    roots,
                    AccessRules.keeping(policy.protectedPaths())
                            .alsoKeeping(path ->
                                    sandbox.filter(one -> one.isKept(path)).isPresent()));
        } catch (UncheckedIOException fault) {
            throw new WorkspaceFailedException(
                    "the workspace's files cannot be opened: " + fault.getMessage(), false, fault);
        }
    }

    @FunctionalInterface
    private interface Step<T> {
        T take() throws IOException;
    }

    private static <T> T onDisk(String what, Step<T> step) {
        try {
            return step.take();
        } catch (IOException fault) {
            boolean isTransient = fault instanceof TreeChangedException;
            throw new WorkspaceFailedException(
                    "the workspace could not be " + what + ": " + FileFaults.reason(fault), isTransient, fault);
        }
    }

    @FunctionalInterface
    private interface Undoing {
        void run() throws IOException;
    }

    private static void undo(Undoing step, Throwable fault) {
        try {
            step.run();
        } catch (IOException | RuntimeException another) {
            fault.addSuppressed(another);
        }
    }
}
