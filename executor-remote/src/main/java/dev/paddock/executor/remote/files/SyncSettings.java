package dev.paddock.executor.remote.files;

import dev.paddock.executor.Progress;
import dev.paddock.executor.policy.PathMapping;
import dev.paddock.executor.policy.ProtectedPaths;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * The settings of a synchronized worktree.
 *
 * @param worktree the host's directory, its real path, and the remote system's
 * @param remoteState a directory of the remote system for the synchronization's own files
 * @param names the paths whose changes never reach the host
 * @param quarantine receives the commands' files that must not reach the worktree; created when needed
 * @param progress receives the progress of a long transfer, on a thread that spawns a command or fetches
 * @param limits of what is fetched after one command
 */
public record SyncSettings(
        PathMapping worktree,
        String remoteState,
        ProtectedPaths names,
        Path quarantine,
        Consumer<Progress> progress,
        FetchLimits limits) {

    /**
     * Validates a directory of the remote system.
     *
     * @throws IllegalArgumentException if it is not absolute
     */
    public static String requireDirectory(String path) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("the remote directory must be absolute, not '" + path + "'");
        }
        return path;
    }
}
