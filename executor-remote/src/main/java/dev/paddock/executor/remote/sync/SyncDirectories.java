package dev.paddock.executor.remote.sync;

import java.nio.file.Path;
import java.time.Duration;

/**
 * The directories of a synchronization.
 *
 * @param worktree the host's directory, its real path
 * @param remoteDirectory the remote side's directory, absolute; created if it does not exist
 * @param remoteState a directory on the remote side for Paddock's own files, absolute, outside the other; created with
 *     mode 0700 if it does not exist, and left when the synchronization ends
 * @param staging an existing directory of the host that no command can access, for incomplete files. On the worktree's
 *     file system files move faster
 * @param kept the directory of the host that receives the remote side's version of a file that must not replace the
 *     host's; created when needed, and left for the user
 * @param maxFetch how many bytes of files one pull fetches
 * @param fetchTimeout how long one pull may take
 */
public record SyncDirectories(
        Path worktree,
        String remoteDirectory,
        String remoteState,
        Path staging,
        Path kept,
        long maxFetch,
        Duration fetchTimeout) {
    /** The default limit on a pull: 4 GiB. */
    public static final long MAX_FETCH = 4L << 30;

    /** The default limit on the time of a pull: 10 minutes. */
    public static final Duration FETCH_TIMEOUT = Duration.ofMinutes(10);

    /** Creates the directories of a synchronization with {@link #MAX_FETCH} and {@link #FETCH_TIMEOUT}. */
    public SyncDirectories(Path worktree, String remoteDirectory, String remoteState, Path staging, Path kept) {
        this(worktree, remoteDirectory, remoteState, staging, kept, MAX_FETCH, FETCH_TIMEOUT);
    }
}
