package dev.paddock.executor.sandbox.seccomp;

/**
 * A group of system calls that a filter allows only on demand: another mechanism, such as a network
 * or PID namespace, has to make them harmless.
 */
public enum FilterOption {
    /**
     * Sockets of IPv4 and IPv6, and route netlink, without which no program can list its
     * interfaces. For sandboxes with a network namespace, and where the network is open.
     */
    IP_SOCKETS,
    /**
     * System V shared memory, semaphores and message queues, and POSIX message queues: they have no
     * path, so only an IPC namespace keeps commands from opening those of the user's other
     * programs.
     */
    SYSTEM_V_IPC,
    /**
     * Setting the resource limits of another process, which the kernel permits on any process of
     * the same user. For sandboxes with a PID namespace.
     */
    FOREIGN_LIMITS,
    /**
     * Truncation by path without opening the file for writing. Landlock before its third version
     * does not confine it.
     */
    TRUNCATION_BY_PATH,
    /**
     * Changes of extended attributes, of access control lists among them, and of a file's flags. For
     * sandboxes with mounts: Landlock does not confine these calls, so that a command could change
     * every file of the user's.
     */
    EXTENDED_ATTRIBUTES,
    /**
     * Unix sockets, except datagram pairs. For environments whose files and network hold no socket
     * of the host that a command could connect to: a container of an image, but no sandbox that
     * shows the host's system directories.
     */
    UNIX_SOCKETS,
    /**
     * Calls that few programs use and that container engines deny by themselves: other execution
     * domains, the placement of memory, calls long obsolete. For environments where this filter
     * does not replace an engine's own.
     */
    UNCOMMON_CALLS
}
