package dev.paddock.executor.sandbox.seccomp;

/**
 * A group of system calls that a filter allows only on demand: another mechanism, such as a network or PID namespace,
 * must make them harmless.
 */
public enum FilterOption {
    /**
     * Sockets of IPv4 and IPv6, and route netlink, which programs need to list interfaces. For sandboxes with a network
     * namespace, and where the network is open.
     */
    IP_SOCKETS,
    /**
     * System V shared memory, semaphores and message queues, and POSIX message queues: they have no path, so only an
     * IPC namespace keeps commands from those of the user's other programs.
     */
    SYSTEM_V_IPC,
    /**
     * Setting another process's resource limits, which the kernel permits on any process of the same user. For
     * sandboxes with a PID namespace.
     */
    FOREIGN_LIMITS,
    /** Truncation by path without opening the file for writing. Landlock before version 3 does not confine it. */
    TRUNCATION_BY_PATH,
    /**
     * Changes of extended attributes, including access control lists, and of a file's flags. For sandboxes with mounts:
     * Landlock does not confine these calls, so that a command could change every file of the user.
     */
    EXTENDED_ATTRIBUTES,
    /**
     * Unix sockets, except datagram pairs. For environments whose files and network have no socket of the host: a
     * container of an image, but no sandbox that shows the host's system directories.
     */
    UNIX_SOCKETS,
    /**
     * Rarely used calls that container engines deny by themselves: other execution domains, the placement of memory,
     * long obsolete calls. For environments where this filter does not replace an engine's own.
     */
    UNCOMMON_CALLS
}
