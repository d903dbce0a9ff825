package dev.paddock.harness.tools;

/**
 * Says where a tool takes effect.
 *
 * @since 0.1
 */
public enum ExecutionSite {
    /** In the worktree, through the session's contained file access. */
    WORKTREE,
    /** In the session's executor, where commands run. */
    SANDBOX,
    /** On the host, outside the worktree. */
    HOST,
    /** On the network, from the host. */
    NETWORK
}
