package dev.paddock.executor.sandbox.seccomp;

import static dev.paddock.executor.sandbox.seccomp.Syscall.*;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Lists the system calls that a sandbox denies; every form of the filter is generated from this list.
 *
 * <p>Every other call is allowed: a list of allowed calls breaks programs with each new C library, and namespaces or
 * Landlock confine reads and writes. The list denies the ways around those: sockets other than IP, debugging and access
 * to other processes' memory, io_uring (whose operations pass no filter), keys, kernel programming, namespaces and
 * mounts, file handles, typing into a terminal, and calls that only an administrator needs. It also denies creating a
 * set-user-id file, which would lend the rights of the command's user to any user who runs it on the host.
 *
 * <p>Denied calls fail with {@code EPERM}. Those that change extended attributes fail with {@code EOPNOTSUPP}, as on a
 * file system without them, which {@code cp -p} and {@code sed -i} expect. {@code clone3} and {@code openat2} fail with
 * {@code ENOSYS}: a filter cannot dereference the pointer to their flags and mode, and programs then use the older
 * call, whose arguments the filter can check.
 *
 * @param always the error of each call that is always denied
 * @param sometimes the cases in which a call is denied with {@code EPERM}, each a conjunction of conditions
 */
record DeniedSyscalls(Map<Syscall, Integer> always, Map<Syscall, List<List<Condition>>> sometimes) {
    static final int EPERM = 1;
    static final int ENOSYS = 38;
    static final int EOPNOTSUPP = 95;

    /**
     * A test of half of an argument: whether it is one of some values, or none of them.
     *
     * @param word the half: the lower one of argument n is 2n, the upper one 2n + 1. The kernel takes a descriptor, an
     *     address family, a request or flags from the lower half alone: comparing the whole would let {@code TIOCSTI |
     *     1 << 32} pass
     * @param mask the bits that are compared
     * @param among true for a half that must be one of the values, false for one that must be none
     */
    record Condition(int word, int mask, boolean among, Set<Integer> values) {
        Condition {
            values = Set.copyOf(values);
        }

        // Written out, as in other records that are compared at startup: no class cache has what the JDK would
        // generate, which costs 15 ms of each startup.
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Condition that
                    && word == that.word
                    && mask == that.mask
                    && among == that.among
                    && values.equals(that.values);
        }

        @Override
        public int hashCode() {
            return ((31 * word + mask) * 31 + Boolean.hashCode(among)) * 31 + values.hashCode();
        }
    }

    private static final int AF_UNIX = 1;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int AF_NETLINK = 16;
    private static final int NETLINK_ROUTE = 0;

    /** {@code SOCK_TYPE_MASK}: a socket's type without the flags given with it. */
    private static final int TYPE_MASK = 0xF;

    private static final int SOCK_STREAM = 1;
    private static final int SOCK_SEQPACKET = 5;

    private static final int TIOCSTI = 0x5412;
    private static final int TIOCLINUX = 0x541C;

    /** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
    private static final int NAMESPACES = 0x7E020000;

    /** A flag of unshare alone: in clone the bit is part of the exit signal. */
    private static final int CLONE_NEWTIME = 0x80;

    private static final int ACCESS_MODE = 3;
    private static final int O_RDONLY = 0;
    private static final int O_TRUNC = 01000;
    private static final int O_CREAT = 0100;

    /** {@code __O_TMPFILE}: {@code O_TMPFILE} without the bit of {@code O_DIRECTORY}. */
    private static final int O_TMPFILE = 020000000;

    private static final int S_ISUID = 04000;

    /** PER_LINUX and PER_LINUX32, each also with UNAME26, and the query of the current domain. */
    private static final Set<Integer> DOMAINS = Set.of(0, 8, 0x20000, 0x20008, -1);

    private static final Set<Syscall> IPC = EnumSet.of(
            SHMGET,
            SHMAT,
            SHMCTL,
            SHMDT,
            SEMGET,
            SEMOP,
            SEMCTL,
            SEMTIMEDOP,
            MSGGET,
            MSGSND,
            MSGRCV,
            MSGCTL,
            MQ_OPEN,
            MQ_UNLINK);

    private static final Set<Syscall> ATTRIBUTES = EnumSet.range(SETXATTR, FILE_SETATTR);

    private static final Set<Syscall> UNCOMMON = EnumSet.range(PERSONALITY, QUERY_MODULE);

    static DeniedSyscalls beyond(Set<FilterOption> allowances) {
        Map<Syscall, List<List<Condition>>> sometimes = sometimes(allowances);
        Map<Syscall, Integer> always = new EnumMap<>(Syscall.class);
        for (Syscall call : Syscall.values()) {
            if (!sometimes.containsKey(call) && !allowed(call, allowances)) {
                always.put(call, error(call));
            }
        }
        return new DeniedSyscalls(always, sometimes);
    }

    private static int error(Syscall call) {
        if (ATTRIBUTES.contains(call)) {
            return EOPNOTSUPP;
        }
        return call == CLONE3 || call == OPENAT2 ? ENOSYS : EPERM;
    }

    private static boolean allowed(Syscall call, Set<FilterOption> allowances) {
        return switch (call) {
            case PRLIMIT64 -> allowances.contains(FilterOption.FOREIGN_LIMITS);
            case TRUNCATE -> allowances.contains(FilterOption.TRUNCATION_BY_PATH);
            default ->
                (IPC.contains(call) && allowances.contains(FilterOption.SYSTEM_V_IPC))
                        || (ATTRIBUTES.contains(call) && allowances.contains(FilterOption.EXTENDED_ATTRIBUTES))
                        || (UNCOMMON.contains(call) && allowances.contains(FilterOption.UNCOMMON_CALLS));
        };
    }

    private static Map<Syscall, List<List<Condition>>> sometimes(Set<FilterOption> allowances) {
        Map<Syscall, List<List<Condition>>> cases = new EnumMap<>(Syscall.class);
        // A connected pair reaches only the processes that have it. A datagram pair can be reconnected, to any path,
        // and is denied; SOCK_RAW is a datagram pair under another name.
        cases.put(
                SOCKETPAIR,
                List.of(List.of(none(0, -1, AF_UNIX)), List.of(none(1, TYPE_MASK, SOCK_STREAM, SOCK_SEQPACKET))));
        cases.put(IOCTL, List.of(List.of(any(1, -1, TIOCSTI, TIOCLINUX))));
        cases.put(CLONE, List.of(List.of(none(0, NAMESPACES, 0))));
        cases.put(UNSHARE, List.of(List.of(none(0, NAMESPACES | CLONE_NEWTIME, 0))));
        socket(allowances, cases);
        if (!allowances.contains(FilterOption.FOREIGN_LIMITS)) {
            // A process may query the limits of any process, and set its own.
            Condition another = none(0, -1, 0);
            cases.put(
                    PRLIMIT64,
                    List.of(
                            List.of(another, none(2, -1, 0)),
                            List.of(another, new Condition(5, -1, false, Set.of(0)))));
        }
        files(allowances, cases);
        if (!allowances.contains(FilterOption.UNCOMMON_CALLS)) {
            cases.put(PERSONALITY, List.of(List.of(new Condition(0, -1, false, DOMAINS))));
        }
        return cases;
    }

    /**
     * Denies set-user-id modes, and truncation by path where it is not allowed. Allows the set-group-id bit: git, tar,
     * cp and install set it on directories that a group shares. Calls that create directories need no case, because the
     * kernel takes only permissions and the sticky bit from their mode.
     */
    private static void files(Set<FilterOption> allowances, Map<Syscall, List<List<Condition>>> cases) {
        for (Syscall call : List.of(CHMOD, FCHMOD, MKNOD, CREAT)) {
            cases.put(call, List.of(List.of(setUserId(1))));
        }
        for (Syscall call : List.of(FCHMODAT, FCHMODAT2, MKNODAT)) {
            cases.put(call, List.of(List.of(setUserId(2))));
        }
        cases.put(OPEN, opening(1, allowances));
        cases.put(OPENAT, opening(2, allowances));
    }

    /** Returns the denied cases of a call that has its flags in one argument and its mode in the next. */
    private static List<List<Condition>> opening(int flags, Set<FilterOption> allowances) {
        // The kernel ignores the mode where it creates nothing, and a program may then pass any value.
        List<Condition> creating = List.of(setUserId(flags + 1), none(flags, O_CREAT | O_TMPFILE, 0));
        if (allowances.contains(FilterOption.TRUNCATION_BY_PATH)) {
            return List.of(creating);
        }
        // Requires a writable mode: the kernel truncates without one, too, and older Landlocks check the mode.
        return List.of(creating, List.of(truncating(flags)));
    }

    /** Matches a mode with the set-user-id bit; the kernel reads the lower 16 bits alone. */
    private static Condition setUserId(int mode) {
        return any(mode, S_ISUID, S_ISUID);
    }

    private static void socket(Set<FilterOption> allowances, Map<Syscall, List<List<Condition>>> cases) {
        Set<Integer> families = new TreeSet<>();
        if (allowances.contains(FilterOption.UNIX_SOCKETS)) {
            families.add(AF_UNIX);
        }
        if (allowances.contains(FilterOption.IP_SOCKETS)) {
            families.addAll(List.of(AF_INET, AF_INET6, AF_NETLINK));
        }
        List<List<Condition>> refused = new ArrayList<>();
        if (!families.isEmpty()) {
            refused.add(List.of(new Condition(0, -1, false, families)));
        }
        if (families.contains(AF_NETLINK)) {
            refused.add(List.of(any(0, -1, AF_NETLINK), none(2, -1, NETLINK_ROUTE)));
        }
        if (!refused.isEmpty()) {
            cases.put(SOCKET, refused);
        }
    }

    private static Condition truncating(int flags) {
        return any(flags, O_TRUNC | ACCESS_MODE, O_TRUNC | O_RDONLY, O_TRUNC | ACCESS_MODE);
    }

    private static Condition any(int argument, int mask, Integer... values) {
        return new Condition(2 * argument, mask, true, Set.of(values));
    }

    private static Condition none(int argument, int mask, Integer... values) {
        return new Condition(2 * argument, mask, false, Set.of(values));
    }
}
