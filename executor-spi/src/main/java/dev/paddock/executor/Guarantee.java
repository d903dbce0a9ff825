package dev.paddock.executor;

/**
 * A property that only some executors enforce. The contract suite tests that a claimed guarantee
 * holds, and that a policy or option that needs an unclaimed one is refused.
 *
 * <p>Later releases may add guarantees: a {@code switch} needs a {@code default}.
 *
 * @since 0.1
 */
public enum Guarantee {
    /**
     * A command writes only to the worktree, to writable mounts, and to its private directories.
     */
    WRITE_CONFINED("writes only to the worktree, writable mounts and private directories"),
    /** A command reads only system paths, the worktree and the paths that the policy grants. */
    READ_CONFINED("reads only system paths, the worktree and what was granted"),
    /** With the network off: no TCP, UDP, DNS or ICMP, and not the host's loopback. */
    NETWORK_OFF("no network when it is off, the host's loopback included"),
    /**
     * With a network of allowed hosts: every program reaches the hosts and ports that the policy
     * names, without a setting of its own, and nothing else. Under seatbelt the programs that heed the
     * variables of a proxy reach them.
     */
    NETWORK_ALLOWED_HOSTS("reaches the allowed hosts and nothing else of the network"),
    /** No unix socket outside the grant can be reached, abstract ones included. */
    UNIX_SOCKETS_OFF("reaches no unix socket outside the grant"),
    /** A kill reaches every descendant, whatever it does to escape. */
    TREE_KILL("a kill reaches every descendant, whatever it does"),
    /** When the JVM exits in any way, SIGKILL included, every process of the command ends. */
    DIES_WITH_HOST("nothing survives the JVM, however it dies"),
    /** A command can read no other process's environment. */
    ENV_CONFINED("reads no other process's environment"),
    /** The status distinguishes {@code exit 137} from death by KILL. */
    EXACT_STATUS("distinguishes exit 137 from death by SIGKILL"),
    /**
     * {@code /tmp} belongs to the executor: its commands share it, no one else sees it, and
     * disposal deletes it.
     */
    PRIVATE_TMP("/tmp belongs to the executor alone"),
    /** {@code $HOME} belongs to the executor in the same way. */
    PRIVATE_HOME("$HOME belongs to the executor alone"),
    /** With the network off, loopback belongs to the executor in the same way. */
    PRIVATE_LOOPBACK("loopback belongs to the executor alone"),
    /**
     * Commands cannot change protected paths of the worktree. When {@code onClosed} completes, files
     * that the command has added there are quarantined, and the cleanup report names them.
     */
    PROTECTED_PATHS("protected paths of the worktree stay as they are"),
    /** A memory limit is enforced, swap included. */
    MEMORY_LIMIT("a memory limit binds"),
    /** A limit on processor time is enforced. */
    CPU_LIMIT("a CPU limit binds"),
    /** A limit on the number of processes is enforced. */
    PROCESS_LIMIT("a process limit binds"),
    /** No program gains privileges by being set-user-id or having file capabilities. */
    NO_NEW_PRIVILEGES("no program gains privileges"),
    /** A seccomp filter or its equivalent refuses dangerous system calls. */
    SYSCALL_FILTER("dangerous system calls are refused"),
    /** A command can have a controlling terminal of its own (C20), and reaches no other. */
    TERMINAL("commands can have a terminal of their own"),
    /**
     * A port of a command can be published: programs of this machine reach it at {@code 127.0.0.1}, no other
     * machine does, and nothing listens once the command has ended.
     */
    PUBLISHED_PORTS("a port of a command can be published to this machine");

    private final String description;

    Guarantee(String description) {
        this.description = description;
    }

    /**
     * Returns the guaranteed property in a few words, for people.
     *
     * @return a phrase without a final full stop
     */
    public String description() {
        return description;
    }
}
