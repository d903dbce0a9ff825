package dev.paddock.executor.sandbox.seccomp;

import dev.paddock.executor.os.posix.Architecture;
import dev.paddock.executor.sandbox.seccomp.Assembler.Condition;
import dev.paddock.executor.sandbox.seccomp.Assembler.Label;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Compiles the system calls that a sandbox denies to a BPF program for the kernel's {@code seccomp}. {@link
 * DeniedSyscalls} lists the calls and the reasons.
 *
 * <p>Other kernel entries number calls differently: the filter kills a process that uses the 32-bit entry, and fails
 * x32 calls with {@code ENOSYS}.
 */
public final class SyscallFilter {

    // struct seccomp_data
    private static final int NUMBER = 0;
    private static final int ENTRY = 4;
    private static final int ARGUMENTS = 16;

    static final int ALLOW = 0x7FFF0000;
    static final int KILL_PROCESS = 0x80000000;
    static final int ERRNO = 0x00050000;

    /** The first number of the x32 convention, which uses the 64-bit entry. */
    private static final int X32_BIT = 0x40000000;

    /** Calls whose arguments are checked in the same way, and that check's position in the program. */
    private record Check(List<Syscall> calls, Label place, List<List<DeniedSyscalls.Condition>> cases) {}

    /** The numbers from {@code start} to the next range's start. */
    private record Range(int start, Label target) {}

    private final Architecture architecture;
    private final DeniedSyscalls refusals;
    private final Assembler program = new Assembler();
    private final Label refuse = program.label("refuse");
    private final Label absent = program.label("absent");
    private final Label unsupported = program.label("unsupported");
    private final Label allow = program.label("allow");
    private final Label kill = program.label("kill");

    private SyscallFilter(Architecture architecture, DeniedSyscalls refusals) {
        this.architecture = architecture;
        this.refusals = refusals;
    }

    /**
     * Compiles the program: an array of {@code struct sock_filter}, as {@code seccomp(2)} and bubblewrap's {@code
     * --seccomp} read it. A pure function of its arguments.
     *
     * @param architecture the architecture of the processes that the filter confines
     * @param allowances the optional groups of calls that it allows
     * @return the program, 8 bytes for each instruction
     */
    public static byte[] compile(Architecture architecture, Set<FilterOption> allowances) {
        return new SyscallFilter(architecture, DeniedSyscalls.beyond(allowances)).compile();
    }

    private byte[] compile() {
        List<Check> checks = checks();
        program.load(ENTRY).jumpUnless(Condition.EQUAL, architecture.auditNumber(), kill);
        program.load(NUMBER);
        search(ranges(targets(checks)));
        checks.forEach(check -> {
            program.place(check.place);
            check(check.cases);
        });
        program.place(allow).returning(ALLOW);
        program.place(refuse).returning(ERRNO | DeniedSyscalls.EPERM);
        program.place(absent).returning(ERRNO | DeniedSyscalls.ENOSYS);
        if (refusals.always().containsValue(DeniedSyscalls.EOPNOTSUPP)) {
            program.place(unsupported).returning(ERRNO | DeniedSyscalls.EOPNOTSUPP);
        }
        program.place(kill).returning(KILL_PROCESS);
        return program.assemble();
    }

    /** Returns the jump target of each number that is not unconditionally allowed. */
    private SortedMap<Integer, Label> targets(List<Check> checks) {
        SortedMap<Integer, Label> targets = new TreeMap<>();
        refusals.always().forEach((call, error) -> targets.put(call.number(architecture), target(error)));
        checks.forEach(check -> check.calls.forEach(call -> targets.put(call.number(architecture), check.place)));
        targets.remove(Syscall.NONE);
        return targets;
    }

    private Label target(int error) {
        return switch (error) {
            case DeniedSyscalls.ENOSYS -> absent;
            case DeniedSyscalls.EOPNOTSUPP -> unsupported;
            default -> refuse;
        };
    }

    /** Splits all numbers, from 0 on, into ranges with one jump target each. */
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
     * Emits a binary search for the number's range. The kernel runs an installed filter once for every existing number,
     * so that every start of a command would pay for a linear list of comparisons.
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

    /** Returns the argument checks of the calls that the architecture has. */
    private List<Check> checks() {
        Map<List<List<DeniedSyscalls.Condition>>, Check> checks = new LinkedHashMap<>();
        refusals.sometimes().forEach((call, cases) -> {
            if (call.number(architecture) != Syscall.NONE) {
                checks.computeIfAbsent(cases, same -> new Check(new ArrayList<>(), program.label(call.symbol()), same))
                        .calls
                        .add(call);
            }
        });
        return List.copyOf(checks.values());
    }

    private void check(List<List<DeniedSyscalls.Condition>> cases) {
        for (List<DeniedSyscalls.Condition> conditions : cases) {
            Label otherwise = program.label("the next case");
            for (int at = 0; at < conditions.size(); at++) {
                boolean last = at == conditions.size() - 1;
                Label holds = last ? refuse : program.label("the next condition");
                ask(conditions.get(at), holds, otherwise);
                if (!last) {
                    program.place(holds);
                }
            }
            program.place(otherwise);
        }
        program.returning(ALLOW);
    }

    private void ask(DeniedSyscalls.Condition condition, Label holds, Label otherwise) {
        program.load(ARGUMENTS + 4 * condition.word());
        if (condition.mask() != -1) {
            program.and(condition.mask());
        }
        List<Integer> values =
                condition.values().stream().sorted(Comparator.naturalOrder()).toList();
        Label found = condition.among() ? holds : otherwise;
        Label missed = condition.among() ? otherwise : holds;
        for (int value : values.subList(0, values.size() - 1)) {
            program.jumpIf(Condition.EQUAL, value, found);
        }
        program.jump(Condition.EQUAL, values.getLast(), found, missed);
    }
}
