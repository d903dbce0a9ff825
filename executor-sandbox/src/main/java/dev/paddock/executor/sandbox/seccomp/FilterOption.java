package dev.paddock.executor.sandbox.seccomp;

/**
 * What a filter lets through only on demand: what a network of its own, a process space of its own and the like make
 * harmless, and their absence does not.
 */
public enum FilterOption {
    /**
     * Sockets of IPv4 and IPv6, and routing questions to the kernel (netlink), without which no program can list its
     * interfaces. For sandboxes with a network namespace, and where the network is open.
     */
    IP_SOCKETS,
    /**
     * System V shared memory, semaphores and message queues, and POSIX message queues: they have no path, so that nothing
     * but an IPC namespace keeps the user's other programs' from being opened.
     */
    SYSTEM_V_IPC,
    /**
     * Setting the resource limits of another process, which any process of the same user accepts. For sandboxes with a process
     * namespace.
     */
    FOREIGN_LIMITS,
    /**
     * Truncation by path without opening the file for writing. Landlock before its third version does not confine it.
     */
    TRUNCATION_BY_PATH,
    /**
     * Unix sockets; not pairs of datagrams, all the same. For places whose files and network hold nothing of the host's that
     * could be connected to: a container of an image, and no sandbox that shows the host's system directories.
     */
    UNIX_SOCKETS,
    /**
     * What few programs use and container engines refuse by themselves: other execution domains, the placement of memory,
     * calls long obsolete. For places where no engine's filter has had to make room for this one.
     */
    UNCOMMON_CALLS
}
