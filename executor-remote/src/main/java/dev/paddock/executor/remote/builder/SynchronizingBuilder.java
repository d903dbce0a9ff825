package dev.paddock.executor.remote.builder;

import java.time.Duration;

/**
 * The options of an executor that synchronizes the worktree with a directory of a pod or another host: the
 * host's changes go there before each command, and the command's changes come back after it.
 *
 * @param <B> the builder's own type
 * @since 0.1
 */
public interface SynchronizingBuilder<B extends SynchronizingBuilder<B>> {
    /**
     * Sets the remote directory that the worktree is synchronized with. What it contains already is merged
     * with the worktree; disposal keeps it.
     *
     * @param value an absolute path there
     * @return this builder
     * @throws IllegalArgumentException if it is none
     */
    B remoteDirectory(String value);

    /**
     * Sets how many bytes of files are fetched after one command. The rest stays there, and the command's
     * report names it. Holes do not count if GNU's tar is there.
     *
     * @param bytes 0 or more; 4 GiB by default
     * @return this builder
     * @throws IllegalArgumentException if it is negative
     */
    B maxFetch(long bytes);

    /**
     * Sets how long fetching files after one command may take. The result waits for it. Files not fetched by
     * then are named in the command's report and fetched with the next command.
     *
     * @param value more than zero; 10 minutes by default
     * @return this builder
     * @throws IllegalArgumentException if it is not
     */
    B fetchTimeout(Duration value);
}
