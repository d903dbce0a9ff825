package dev.paddock.executor.sandbox.policy;

/** A part of a policy that not every backend can enforce. */
public enum Feature {
    /** Showing the worktree at another path than the host's. */
    WORKTREE_MAPPING,
    /** Mounts of any kind. */
    MOUNTS,
    /** Mounts at another path than the host's. */
    MOUNT_MAPPING,
    /** Mounts that commands cannot write to. */
    READ_ONLY_MOUNTS,
    /** Read-only mounts of directories in the worktree or in a writable mount. */
    READ_ONLY_INSIDE_WRITABLE,
    /** No network. */
    NETWORK_OFF,
    /** A network of allowed hosts only. */
    NETWORK_ALLOW,
    /** No unix sockets, not even in granted directories. */
    UNIX_SOCKETS_OFF,
    /** Paths of the worktree that commands cannot change. */
    PROTECTED_PATHS,
    /** Files of the worktree and of mounts that commands cannot read. */
    HIDDEN_PATHS,
    /** A limit on memory. */
    MEMORY_LIMIT,
    /** A limit on processors. */
    CPU_LIMIT,
    /** A limit on the number of processes. */
    PROCESS_LIMIT,
    /** A limit on a file's size. */
    FILE_SIZE_LIMIT
}
