package dev.paddock.harness.workspace.provider;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.policy.Mount;
import dev.paddock.executor.policy.NetworkPolicy;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.harness.files.workspace.WorkspaceFiles;
import java.util.List;
import java.util.Optional;

/**
 * A directory, the sandbox for its commands, and a reference that finds both later, in this process or another.
 *
 * <p>Ends in one of two ways. {@link #suspend()} keeps the files for a later
 * {@linkplain WorkspaceProvider#resolve resolve} and frees everything else; so does the death of the process.
 * {@link #close()} removes the files. Afterwards every method but these two and {@link #ref()} throws an
 * {@link IllegalStateException}.
 *
 * <p>Only the directory persists from one resolve to the next. Processes, and files that commands wrote elsewhere
 * ({@code /tmp}, the home directory, the file system of an image), are lost.
 *
 * <p>Thread-safe.
 *
 * @since 0.1
 */
public interface Workspace extends AutoCloseable {

    /** {@return the reference to this workspace; constant} */
    WorkspaceRef ref();

    /**
     * Returns the files, as the workspace's commands name them.
     *
     * @return the files; the workspace closes them
     * @throws IllegalStateException if the workspace has ended, or was opened without {@link
     *     Capability#FILES}
     */
    WorkspaceFiles files();

    /**
     * Returns the executor of the workspace's commands.
     *
     * @return the executor; the workspace disposes of it. It refuses commands that the provider does
     *     not allow
     * @throws IllegalStateException if the workspace has ended, or was opened without {@link
     *     Capability#SHELL}
     */
    CommandExecutor executor();

    /**
     * Returns the executor for a session's own command, which checks whether commands see the
     * directory; the list of allowed commands, meant for a model's commands, does not apply to it.
     *
     * @return the executor, with the same sandbox; by default {@link #executor()}
     * @throws IllegalStateException as {@link #executor()} does
     */
    default CommandExecutor probing() {
        return executor();
    }

    /** {@return the directory under its host path and its command path; constant} */
    PathMapping worktree();

    /**
     * {@return the mounts that commands see in addition to the directory: the configured ones, and the objects of
     * repositories that the files refer to; constant}
     */
    List<Mount> mounts();

    /** {@return the part of the network that commands can reach; constant} */
    NetworkPolicy network();

    /**
     * Returns the snapshots of the workspace.
     *
     * @return the snapshots; empty if the workspace was opened without {@link Capability#SNAPSHOTS}
     * @throws IllegalStateException if the workspace has ended
     */
    Optional<WorkspaceSnapshots> snapshots();

    /**
     * Ends the commands and the sandbox, and keeps the files. Concurrent callers share one attempt.
     * Does nothing if the workspace has ended.
     *
     * @throws WorkspaceFailedException if commands could not be ended; the call may be repeated
     */
    void suspend();

    /**
     * Ends the commands and the sandbox, and removes the files and snapshots atomically: they all exist or are all
     * gone, however the process ends. Concurrent callers share one attempt. Does nothing if the workspace has ended,
     * even by suspension: {@link WorkspaceProvider#remove} removes a suspended one.
     *
     * @throws WorkspaceFailedException if commands could not be ended, the workspace is open elsewhere, too, or files
     *     could not be removed; the call may be repeated
     */
    @Override
    void close();
}
