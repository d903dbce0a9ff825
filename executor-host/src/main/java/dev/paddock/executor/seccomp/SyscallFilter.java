package dev.paddock.executor.seccomp;

import static dev.paddock.executor.seccomp.Syscall.*;

import dev.paddock.executor.seccomp.Assembler.Condition;
import dev.paddock.executor.seccomp.Assembler.Label;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The system calls that a sandbox refuses, as a program for the kernel's {@code seccomp}.
 *
 * <p>What is not refused is allowed: a list of the allowed ones breaks programs with each new C library, and confining reads
 * and writes is the namespaces' or Landlock's part. Refused are the ways around those: sockets other than IP, debugging and
 * other processes' memory, io_uring (whose operations pass no filter, B28), keys, kernel programming, namespaces and mounts,
 * file handles, typing into a terminal, and what only a system's administrator needs.
 *
 * <p>Refused calls fail with {@code EPERM}; {@code clone3} and {@code openat2} with {@code ENOSYS}, because a filter cannot
 * look behind the pointer that carries their flags, and programs then take the older call, which it can judge. A call through
 * another entry of the kernel (32 bits, x32) would have other numbers: the first ends the process, the second fails with
 * {@code ENOSYS}.
 */
public final class SyscallFilter {

    // struct seccomp_data
    private static final int NUMBER = 0;
    private static final int ENTRY = 4;
    private static final int ARGUMENTS = 16;

    static final int ALLOW = 0x7FFF0000;
    static final int KILL_PROCESS = 0x80000000;
    static final int ERRNO = 0x00050000;
    static final int EPERM = 1;
    static final int ENOSYS = 38;

    /** Numbers from here on are calls in the x32 convention, through the 64-bit entry. */
    private static final int X32_BIT = 0x40000000;

    private static final int AF_UNIX = 1;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int AF_NETLINK = 16;
    private static final int NETLINK_ROUTE = 0;

    /** The type of a socket without the flags that may be given with it: {@code SOCK_TYPE_MASK}. */
    private static final int TYPE_MASK = 0xF;

    private static final int SOCK_STREAM = 1;
    private static final int SOCK_SEQPACKET = 5;

    private static final int TIOCSTI = 0x5412;
    private static final int TIOCLINUX = 0x541C;

    /** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET. */
    private static final int NAMESPACES = 0x7E020000;

    /** A flag of unshare alone: the bit is part of the exit signal in clone. */
    private static final int CLONE_NEWTIME = 0x80;

    private static final int ACCESS_MODE = 3;
    private static final int O_RDONLY = 0;
    private static final int O_TRUNC = 01000;

    /** Calls that are judged by their arguments, or refused by what is allowed besides. */
    private static final Set<Syscall> SOMETIMES =
            EnumSet.of(SOCKET, SOCKETPAIR, IOCTL, CLONE, CLONE3, UNSHARE, PRLIMIT64, OPEN, OPENAT, OPENAT2, TRUNCATE);

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

    /** A call, and where in the program its arguments are looked at. */
    private record Judge(Syscall call, Label place, Runnable rule) {}

    /** The numbers from {@code start} to the next range's. */
    private record Range(int start, Label target) {}

    private final Architecture architecture;
    private final Set<Allowance> allowances;
    private final Assembler program = new Assembler();
    private final Label refuse = program.label("refuse");
    private final Label absent = program.label("absent");
    private final Label allow = program.label("allow");
    private final Label kill = program.label("kill");

    private SyscallFilter(Architecture architecture, Set<Allowance> allowances) {
        this.architecture = architecture;
        this.allowances = allowances;
    }

    /**
     * The program: an array of {@code struct sock_filter}, as {@code seccomp(2)} takes it and bubblewrap's
     * {@code --seccomp} reads it. A pure function of its arguments.
     *
     * @param architecture the architecture of the processes that it is for
     * @param allowances what it lets through beyond the least
     * @return the program, of 8 bytes for each instruction
     */
    public static byte[] compile(Architecture architecture, Set<Allowance> allowances) {
        return new SyscallFilter(architecture, allowances).compile();
    }

    private byte[] compile() {
        List<Judge> judges = judges();
        program.load(ENTRY).jumpUnless(Condition.EQUAL, architecture.auditNumber(), kill);
        program.load(NUMBER);
        search(ranges(targets(judges)));
        judges.forEach(judge -> {
            program.place(judge.place);
            judge.rule.run();
        });
        program.place(allow).returning(ALLOW);
        program.place(refuse).returning(ERRNO | EPERM);
        program.place(absent).returning(ERRNO | ENOSYS);
        program.place(kill).returning(KILL_PROCESS);
        return program.assemble();
    }

    /** Where the program goes on for each number that is not simply allowed. */
    private SortedMap<Integer, Label> targets(List<Judge> judges) {
        SortedMap<Integer, Label> targets = new TreeMap<>();
        refusals().forEach((call, verdict) -> targets.put(call.number(architecture), verdict));
        judges.forEach(judge -> targets.put(judge.call.number(architecture), judge.place));
        targets.remove(NONE);
        return targets;
    }

    /** All numbers, from 0 on, in ranges that go on at one place each. */
    private List<Range> ranges(SortedMap<Integer, Label> targets) {
        List<Range> ranges = new ArrayList<>();
        ranges.add(new Range(0, allow));
        targets.forEach((number, target) -> {
            extend(ranges, number, target);
            if (!targets.containsKey(number + 1)) {
                extend(ranges, number + 1, allow);
            }
        });
        if (architecture == Architecture.X86_64) {
            extend(ranges, X32_BIT, absent);
        }
        return ranges;
    }

    private static void extend(List<Range> ranges, int start, Label target) {
        if (ranges.getLast().start == start) {
            ranges.removeLast();
        }
        if (ranges.isEmpty() || ranges.getLast().target != target) {
            ranges.add(new Range(start, target));
        }
    }

    /**
     * Finds the number's range by halves. When a filter is installed, the kernel runs it once for every number that there is,
     * so that a list of comparisons would be paid for at each start of a command.
     */
    private void search(List<Range> ranges) {
        if (ranges.size() < 2) {
            return;
        }
        List<Range> lower = ranges.subList(0, ranges.size() / 2);
        List<Range> upper = ranges.subList(ranges.size() / 2, ranges.size());
        Label below = half(lower);
        Label above = half(upper);
        program.jump(Condition.GREATER_OR_EQUAL, upper.getFirst().start, above, below);
        enter(below, lower);
        enter(above, upper);
    }

    private Label half(List<Range> ranges) {
        return ranges.size() == 1 ? ranges.getFirst().target : program.label("numbers from " + ranges.getFirst().start);
    }

    private void enter(Label place, List<Range> ranges) {
        if (ranges.size() > 1) {
            program.place(place);
            search(ranges);
        }
    }

    /** What is refused whatever its arguments. */
    private Map<Syscall, Label> refusals() {
        Map<Syscall, Label> refusals = new EnumMap<>(Syscall.class);
        for (Syscall call : Syscall.values()) {
            if (!SOMETIMES.contains(call) && !(IPC.contains(call) && allows(Allowance.SYSTEM_V_IPC))) {
                refusals.put(call, refuse);
            }
        }
        refusals.put(CLONE3, absent);
        if (!allows(Allowance.IP_SOCKETS)) {
            refusals.put(SOCKET, refuse);
        }
        if (!allows(Allowance.TRUNCATION_BY_PATH)) {
            refusals.put(TRUNCATE, refuse);
            refusals.put(OPENAT2, absent);
        }
        return refusals;
    }

    /** What depends on its arguments, where the architecture has it. */
    private List<Judge> judges() {
        List<Judge> judges = new ArrayList<>();
        judges.add(judge(SOCKETPAIR, this::judgeSocketpair));
        judges.add(judge(IOCTL, this::judgeIoctl));
        judges.add(judge(CLONE, () -> judgeFlags(NAMESPACES)));
        judges.add(judge(UNSHARE, () -> judgeFlags(NAMESPACES | CLONE_NEWTIME)));
        if (allows(Allowance.IP_SOCKETS)) {
            judges.add(judge(SOCKET, this::judgeSocket));
        }
        if (!allows(Allowance.FOREIGN_LIMITS)) {
            judges.add(judge(PRLIMIT64, this::judgePrlimit));
        }
        if (!allows(Allowance.TRUNCATION_BY_PATH)) {
            judges.add(judge(OPEN, () -> judgeOpen(1)));
            judges.add(judge(OPENAT, () -> judgeOpen(2)));
        }
        judges.removeIf(judge -> judge.call.number(architecture) == NONE);
        return judges;
    }

    private Judge judge(Syscall call, Runnable rule) {
        return new Judge(call, program.label(call.name()), rule);
    }

    private void judgeSocket() {
        program.load(low(0))
                .jumpIf(Condition.EQUAL, AF_INET, allow)
                .jumpIf(Condition.EQUAL, AF_INET6, allow)
                .jumpUnless(Condition.EQUAL, AF_NETLINK, refuse)
                .load(low(2))
                .jumpUnless(Condition.EQUAL, NETLINK_ROUTE, refuse)
                .returning(ALLOW);
    }

    /**
     * A connected pair reaches nobody but its holders, unless it is of datagrams: that can be connected anew, to any path
     * (B29). SOCK_RAW is one of those under another name.
     */
    private void judgeSocketpair() {
        program.load(low(0))
                .jumpUnless(Condition.EQUAL, AF_UNIX, refuse)
                .load(low(1))
                .and(TYPE_MASK)
                .jumpIf(Condition.EQUAL, SOCK_STREAM, allow)
                .jumpUnless(Condition.EQUAL, SOCK_SEQPACKET, refuse)
                .returning(ALLOW);
    }

    private void judgeIoctl() {
        program.load(low(1))
                .jumpIf(Condition.EQUAL, TIOCSTI, refuse)
                .jumpIf(Condition.EQUAL, TIOCLINUX, refuse)
                .returning(ALLOW);
    }

    private void judgeFlags(int refused) {
        program.load(low(0)).jumpIf(Condition.ANY_BIT_OF, refused, refuse).returning(ALLOW);
    }

    /** Any process may be asked for its limits, and the caller's own may be set. */
    private void judgePrlimit() {
        program.load(low(0))
                .jumpIf(Condition.EQUAL, 0, allow)
                .load(low(2))
                .jumpUnless(Condition.EQUAL, 0, refuse)
                .load(high(2))
                .jumpUnless(Condition.EQUAL, 0, refuse)
                .returning(ALLOW);
    }

    /** Truncating needs a mode that writes: the kernel truncates without one, too, and older Landlocks look at the mode. */
    private void judgeOpen(int flags) {
        program.load(low(flags))
                .and(O_TRUNC | ACCESS_MODE)
                .jumpIf(Condition.EQUAL, O_TRUNC | O_RDONLY, refuse)
                .jumpIf(Condition.EQUAL, O_TRUNC | ACCESS_MODE, refuse)
                .returning(ALLOW);
    }

    private boolean allows(Allowance allowance) {
        return allowances.contains(allowance);
    }

    /**
     * The lower half of an argument. The kernel takes a descriptor, an address family, a request or flags from it alone: to
     * compare the upper half as well would let {@code TIOCSTI | 1 << 32} pass.
     */
    private static int low(int argument) {
        return ARGUMENTS + 8 * argument;
    }

    private static int high(int argument) {
        return low(argument) + 4;
    }
}
