package dev.paddock.harness.workspace.directory;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.SandboxPolicy;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import dev.paddock.harness.workspace.provider.Capability;
import dev.paddock.harness.workspace.provider.Workspace;
import dev.paddock.harness.workspace.provider.WorkspaceFailedException;
import dev.paddock.harness.workspace.provider.WorkspaceRef;
import dev.paddock.harness.workspace.provider.WorkspaceSnapshots;
import dev.paddock.harness.workspace.support.SharedCall;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A workspace in a directory of this machine. */
final class DirectoryWorkspace implements Workspace {
    private final WorkspaceRef ref;
    private final SandboxPolicy policy;
    private final WorkspaceDirectory directory;
    private final LiveCommands commands;
    private final Optional<CommandExecutor> probing;
    private final Optional<CommandExecutor> executor;
    private final Optional<WorkspaceFiles> files;
    private final Optional<WorkspaceSnapshots> snapshots;
    private final SharedCall<State> ending = new SharedCall<>();
    private volatile State state = State.OPEN;

    private enum State {
        OPEN,
        ENDING,
        ENDED
    }

    /**
     * Creates an instance, which owns all parameters but the snapshots.
     *
     * @param probing runs any command
     * @param executor runs those that the workspace allows, in the same sandbox
     */
    DirectoryWorkspace(
            WorkspaceRef ref,
            SandboxPolicy policy,
            WorkspaceDirectory directory,
            LiveCommands commands,
            Optional<CommandExecutor> probing,
            Optional<CommandExecutor> executor,
            Optional<WorkspaceFiles> files,
            Optional<WorkspaceSnapshots> snapshots) {
        this.ref = ref;
        this.policy = policy;
        this.directory = directory;
        this.commands = commands;
        this.probing = probing;
        this.executor = executor;
        this.files = files;
        this.snapshots = snapshots;
    }

    @Override
    public WorkspaceRef ref() {
        return ref;
    }

    @Override
    public PathMapping worktree() {
        return policy.worktree();
    }

    @Override
    public List<Mount> mounts() {
        return policy.mounts();
    }

    @Override
    public NetworkPolicy network() {
        return policy.network();
    }

    @Override
    public WorkspaceFiles files() {
        return require(files, Capability.FILES);
    }

    @Override
    public CommandExecutor executor() {
        return require(executor, Capability.SHELL);
    }

    @Override
    public CommandExecutor probing() {
        return require(probing, Capability.SHELL);
    }

    @Override
    public Optional<WorkspaceSnapshots> snapshots() {
        requireOpen();
        return snapshots;
    }

    private <T> T require(Optional<T> part, Capability capability) {
        requireOpen();
        return part.orElseThrow(() -> new IllegalStateException("the workspace was opened without the capability '"
                + capability.word() + "'; declare it in the configuration"));
    }

    private void requireOpen() {
        if (state != State.OPEN) {
            throw new IllegalStateException(
                    "the workspace was suspended or closed; resolve its reference, or open another");
        }
    }

    @Override
    public void suspend() {
        end(executor.isPresent() ? directory::suspend : directory::leave);
    }

    @Override
    public void close() {
        end(directory::remove);
    }

    @FunctionalInterface
    private interface LastStep {
        void take() throws IOException;
    }

    private void end(LastStep last) {
        try {
            state = ending.call(() -> state == State.ENDED ? State.ENDED : attempt(last));
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw WorkspaceFailedException.passing("interrupted while the workspace was being ended");
        }
    }

    private State attempt(LastStep last) {
        state = State.ENDING;
        try {
            executor.ifPresent(CommandExecutor::dispose);
            files.ifPresent(WorkspaceFiles::close);
            last.take();
            commands.close();
            return State.ENDED;
        } catch (ExecutorException fault) {
            throw new WorkspaceFailedException(
                    "the workspace's commands could not be ended, and its files stay: " + fault.getMessage(),
                    true,
                    fault);
        } catch (IOException fault) {
            throw new WorkspaceFailedException(
                    "the workspace could not be ended: " + FileFaults.reason(fault) + "; try again", true, fault);
        }
    }
}
