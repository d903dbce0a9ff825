package dev.paddock.harness.tools;

/** Where the effect of a tool lands. */
public enum ExecutionSite {
    /** In the worktree, through the session's own contained file access. */
    WORKTREE,
    /** Where commands run: in the session's executor. */
    SANDBOX,
    /** On the host, outside the worktree. */
    HOST,
    /** On the network, from the host. */
    NETWORK
}
