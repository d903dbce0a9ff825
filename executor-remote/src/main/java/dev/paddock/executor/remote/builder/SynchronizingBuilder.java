package dev.paddock.executor.remote.builder;

import java.time.Duration;

/**
 * The options of an executor that synchronizes the worktree with a directory of a pod or another host: it copies the
 * host's changes before each command, and fetches the command's changes after it.
 *
 * @param <B> the builder's own type
 * @since 0.1
 */
public interface SynchronizingBuilder<B extends SynchronizingBuilder<B>> {
    /**
     * Sets the remote directory that the worktree is synchronized with. Its existing content is merged with the
     * worktree; disposal keeps it.
     *
     * @param value an absolute remote path
     * @return this builder
     * @throws IllegalArgumentException if it is none
     */
    B remoteDirectory(String value);

    /**
     * Sets how many bytes of files are fetched after one command. The rest stays remote, and the command's report names
     * it. Holes do not count with a remote GNU tar.
     *
     * @param bytes 0 or more; 4 GiB by default
     * @return this builder
     * @throws IllegalArgumentException if it is negative
     */
    B maxFetch(long bytes);

    /**
     * Sets how long the result waits for fetching files after one command. The command's report names files not fetched
     * by then; they are fetched with the next command.
     *
     * @param value more than zero; 10 minutes by default
     * @return this builder
     * @throws IllegalArgumentException if it is not
     */
    B fetchTimeout(Duration value);
}
