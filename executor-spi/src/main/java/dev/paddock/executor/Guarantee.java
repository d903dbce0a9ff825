package dev.paddock.executor;

/**
 * What only some places can promise. An executor claims a guarantee or does not; the contract suite tests both: claimed, it
 * holds; not claimed, asking for it is refused.
 *
 * <p>Later releases may add guarantees: a {@code switch} needs a {@code default}.
 */
public enum Guarantee {
    /** A command writes only to the worktree, to writable mounts, and to its private directories. */
    WRITE_CONFINED("writes only to the worktree, writable mounts and private directories"),
    /** A command reads only system paths, the worktree and what the policy grants. */
    READ_CONFINED("reads only system paths, the worktree and what was granted"),
    /** With the network off: no TCP, UDP, DNS or ICMP, and not the host's loopback. */
    NETWORK_OFF("no network when it is off, the host's loopback included"),
    /** No unix socket outside the grant can be reached, abstract ones included. */
    UNIX_SOCKETS_OFF("reaches no unix socket outside the grant"),
    /** Killing reaches every descendant, whatever it does to hide. */
    TREE_KILL("a kill reaches every descendant, whatever it does"),
    /** When the JVM dies, however it dies, every process of the command dies. */
    DIES_WITH_HOST("nothing survives the JVM, however it dies"),
    /** A command can read no other process's environment. */
    ENV_CONFINED("reads no other process's environment"),
    /** {@code exit 137} and death by KILL are told apart. */
    EXACT_STATUS("tells exit 137 from death by SIGKILL"),
    /** {@code /tmp} belongs to the executor: shared by its commands, unseen by others, gone at disposal. */
    PRIVATE_TMP("/tmp belongs to the executor alone"),
    /** {@code $HOME} belongs to the executor likewise. */
    PRIVATE_HOME("$HOME belongs to the executor alone"),
    /** With the network off, loopback belongs to the executor likewise. */
    PRIVATE_LOOPBACK("loopback belongs to the executor alone"),
    /** Protected paths of the worktree cannot be changed, and what a command adds there is quarantined. */
    PROTECTED_PATHS("protected paths of the worktree stay as they are"),
    /** A memory limit binds, swap included. */
    MEMORY_LIMIT("a memory limit binds"),
    /** A CPU limit binds. */
    CPU_LIMIT("a CPU limit binds"),
    /** A limit on the number of processes binds. */
    PROCESS_LIMIT("a process limit binds"),
    /** No program gains privileges by being set-user-id or having file capabilities. */
    NO_NEW_PRIVILEGES("no program gains privileges"),
    /** Dangerous system calls are refused by a filter. */
    SYSCALL_FILTER("dangerous system calls are refused");

    private final String description;

    Guarantee(String description) {
        this.description = description;
    }

    /**
     * What is promised, in a few words for people.
     *
     * @return a phrase without a final full stop
     */
    public String description() {
        return description;
    }
}
