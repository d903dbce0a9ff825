package dev.paddock.executor.sandbox.seccomp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.os.posix.Architecture;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests every verdict of, and every path through, the program by running it. */
class SyscallFilterTest {

    private static final int ALLOW = 0x7FFF0000;
    private static final int EPERM = 0x00050001;
    private static final int ENOSYS = 0x00050026;
    private static final int EOPNOTSUPP = 0x0005005F;
    private static final int KILL = 0x80000000;

    private static final Set<FilterOption> LEAST = EnumSet.noneOf(FilterOption.class);
    private static final Set<FilterOption> MOST = EnumSet.allOf(FilterOption.class);

    private static final Set<String> IPC = words("""
            shmget shmat shmctl shmdt semget semop semctl semtimedop msgget msgsnd msgrcv
            msgctl mq_open mq_unlink
            """);

    private static final Set<String> UNCOMMON = words("""
            get_mempolicy set_mempolicy set_mempolicy_home_node mbind migrate_pages
            move_pages sysfs ustat _sysctl get_kernel_syms query_module
            """);

    private static final Set<String> ATTRIBUTES = words("""
            setxattr lsetxattr fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat file_setattr
            """);

    /**
     * The calls that pass when their arguments are all zero; socketpair and socket then name no
     * known family.
     */
    private static final Set<String> JUDGED = words("""
            ioctl clone unshare prlimit64 open openat creat chmod fchmod fchmodat fchmodat2
            mknod mknodat personality
            """);

    private static Set<String> words(String text) {
        return Set.of(text.strip().split("\\s+", -1));
    }

    private static final long TIOCSTI = 0x5412;
    private static final long ABOVE = 1L << 32;

    static Stream<Arguments> programs() {
        return Stream.of(Architecture.values())
                .flatMap(architecture -> Stream.of(
                        Arguments.of(architecture, LEAST),
                        Arguments.of(architecture, MOST),
                        Arguments.of(architecture, EnumSet.of(FilterOption.IP_SOCKETS)),
                        Arguments.of(architecture, EnumSet.of(FilterOption.SYSTEM_V_IPC)),
                        Arguments.of(architecture, EnumSet.of(FilterOption.FOREIGN_LIMITS)),
                        Arguments.of(architecture, EnumSet.of(FilterOption.TRUNCATION_BY_PATH)),
                        Arguments.of(architecture, EnumSet.of(FilterOption.EXTENDED_ATTRIBUTES)),
                        Arguments.of(architecture, EnumSet.of(FilterOption.UNIX_SOCKETS)),
                        Arguments.of(architecture, EnumSet.of(FilterOption.UNCOMMON_CALLS))));
    }

    @ParameterizedTest
    @MethodSource("programs")
    void refusesListedCallsByHeadersNumbersAndNoOthers(Architecture architecture, Set<FilterOption> allowances)
            throws IOException {
        BpfMachine machine = machine(architecture, allowances);
        Map<String, Integer> numbers = numbers(architecture);
        Set<Integer> listed = new HashSet<>(numbers.values());
        numbers.forEach((name, number) -> assertThat(machine.run(architecture.auditNumber(), number, 0, 0, 0, 0, 0, 0))
                .as(name)
                .isEqualTo(expected(name, allowances)));
        for (int number = 0; number < 1024; number++) {
            if (!listed.contains(number)) {
                assertThat(machine.run(architecture.auditNumber(), number))
                        .as("call %s", number)
                        .isEqualTo(ALLOW);
            }
        }
    }

    private static int expected(String name, Set<FilterOption> allowances) {
        boolean truncation = allowances.contains(FilterOption.TRUNCATION_BY_PATH);
        boolean allowed = JUDGED.contains(name)
                || (IPC.contains(name) && allowances.contains(FilterOption.SYSTEM_V_IPC))
                || (ATTRIBUTES.contains(name) && allowances.contains(FilterOption.EXTENDED_ATTRIBUTES))
                || (UNCOMMON.contains(name) && allowances.contains(FilterOption.UNCOMMON_CALLS))
                || (name.equals("truncate") && truncation);
        if (allowed) {
            return ALLOW;
        }
        if (ATTRIBUTES.contains(name)) {
            return EOPNOTSUPP;
        }
        return Set.of("clone3", "openat2").contains(name) ? ENOSYS : EPERM;
    }

    @ParameterizedTest
    @EnumSource
    void otherEntriesAreRefused(Architecture architecture) {
        BpfMachine machine = machine(architecture, MOST);
        int i386 = 0x40000003;
        int arm = 0x40000028;
        for (int entry : new int[] {i386, arm, 0, architecture == Architecture.X86_64 ? 0xC00000B7 : 0xC000003E}) {
            assertThat(machine.run(entry, 1)).isEqualTo(KILL);
        }
    }

    @Test
    void x32EntryIsRefused() throws IOException {
        BpfMachine machine = machine(Architecture.X86_64, MOST);
        int entry = Architecture.X86_64.auditNumber();
        for (int number : numbers(Architecture.X86_64).values()) {
            assertThat(machine.run(entry, 0x40000000 | number)).isEqualTo(ENOSYS);
        }
        assertThat(machine.run(entry, -1)).isEqualTo(ENOSYS);
        assertThat(machine.run(entry, 0x3FFFFFFF)).isEqualTo(ALLOW);
    }

    @ParameterizedTest
    @EnumSource
    void unixSocketsAreRefusedWhateverElseIsAllowed(Architecture architecture) {
        Calls calls = new Calls(architecture, EnumSet.complementOf(EnumSet.of(FilterOption.UNIX_SOCKETS)));
        assertThat(calls.run("socket", 1, 1, 0)).isEqualTo(EPERM);
        assertThat(calls.run("socket", 1 | ABOVE, 1, 0)).isEqualTo(EPERM);
        assertThat(calls.run("socket", 1, 2 | 02000000, 0)).isEqualTo(EPERM);
        Calls alone = new Calls(architecture, Set.of(FilterOption.UNIX_SOCKETS));
        for (long family = 0; family < 64; family++) {
            assertThat(alone.run("socket", family, 1, 0))
                    .as("family %s", family)
                    .isEqualTo(family == 1 ? ALLOW : EPERM);
        }
    }

    @ParameterizedTest
    @EnumSource
    void otherExecutionDomainsAreRefused(Architecture architecture) {
        Calls calls = new Calls(architecture, LEAST);
        for (long domain : new long[] {0, 8, 0x20000, 0x20008, 0xFFFFFFFFL}) {
            assertThat(calls.run("personality", domain)).isEqualTo(ALLOW);
        }
        assertThat(calls.run("personality", 0x40000))
                .as("addresses that can be foretold")
                .isEqualTo(EPERM);
        assertThat(new Calls(architecture, MOST).run("personality", 0x40000)).isEqualTo(ALLOW);
    }

    @ParameterizedTest
    @EnumSource
    void openIsIpAndRoutingQuestionsAlone(Architecture architecture) {
        Calls open = new Calls(architecture, Set.of(FilterOption.IP_SOCKETS));
        Calls off = new Calls(architecture, LEAST);
        for (long family = 0; family < 64; family++) {
            boolean ip = family == 2 || family == 10;
            boolean netlink = family == 16;
            assertThat(open.run("socket", family, 2, 0))
                    .as("family %s", family)
                    .isEqualTo(ip || netlink ? ALLOW : EPERM);
            assertThat(open.run("socket", family, 2, 15))
                    .as("family %s", family)
                    .isEqualTo(ip ? ALLOW : EPERM);
            assertThat(off.run("socket", family, 1, 0)).as("family %s", family).isEqualTo(EPERM);
        }
    }

    @ParameterizedTest
    @EnumSource
    void onlyStreamSocketPairsAreAllowed(Architecture architecture) {
        Calls calls = new Calls(architecture, MOST);
        int flags = 02004000;
        assertThat(calls.run("socketpair", 1, 1, 0)).isEqualTo(ALLOW);
        assertThat(calls.run("socketpair", 1, 5 | flags, 0)).isEqualTo(ALLOW);
        assertThat(calls.run("socketpair", 1, 2, 0)).as("datagrams").isEqualTo(EPERM);
        assertThat(calls.run("socketpair", 1, 2 | flags, 0))
                .as("datagrams with flags")
                .isEqualTo(EPERM);
        assertThat(calls.run("socketpair", 1, 3, 0)).as("raw is datagrams").isEqualTo(EPERM);
        assertThat(calls.run("socketpair", 16, 1, 0)).isEqualTo(EPERM);
    }

    @ParameterizedTest
    @EnumSource
    void inputInjectionIntoTerminalIsRefused(Architecture architecture) {
        Calls calls = new Calls(architecture, MOST);
        assertThat(calls.run("ioctl", 0, 0x5401)).isEqualTo(ALLOW);
        assertThat(calls.run("ioctl", 0, TIOCSTI)).isEqualTo(EPERM);
        assertThat(calls.run("ioctl", 0, TIOCSTI | ABOVE))
                .as("the kernel looks at 32 bits")
                .isEqualTo(EPERM);
        assertThat(calls.run("ioctl", 0, 0x541C)).as("TIOCLINUX").isEqualTo(EPERM);
    }

    @ParameterizedTest
    @EnumSource
    void newNamespacesAreRefused(Architecture architecture) {
        Calls calls = new Calls(architecture, MOST);
        for (long flag : new long[] {0x20000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000}) {
            assertThat(calls.run("clone", flag | 17)).isEqualTo(EPERM);
            assertThat(calls.run("unshare", flag)).isEqualTo(EPERM);
        }
        assertThat(calls.run("clone", 17)).as("fork").isEqualTo(ALLOW);
        assertThat(calls.run("clone", 0x3D0F00)).as("a thread").isEqualTo(ALLOW);
        assertThat(calls.run("clone", 0x4111)).as("vfork").isEqualTo(ALLOW);
        assertThat(calls.run("unshare", 0x80)).as("a time namespace").isEqualTo(EPERM);
        assertThat(calls.run("unshare", 0x200)).as("a directory of its own").isEqualTo(ALLOW);
        assertThat(calls.run("clone3", 0, 88)).isEqualTo(ENOSYS);
    }

    @ParameterizedTest
    @EnumSource
    void processSetsOnlyItsOwnLimits(Architecture architecture) {
        Calls shared = new Calls(architecture, LEAST);
        long limits = 0x7f00_0000_0000L;
        assertThat(shared.run("prlimit64", 0, 7, limits, 0)).isEqualTo(ALLOW);
        assertThat(shared.run("prlimit64", 4711, 7, 0, limits)).as("asking").isEqualTo(ALLOW);
        assertThat(shared.run("prlimit64", 4711, 7, limits, 0)).isEqualTo(EPERM);
        assertThat(shared.run("prlimit64", 4711, 7, 8, 0)).isEqualTo(EPERM);
        assertThat(new Calls(architecture, Set.of(FilterOption.FOREIGN_LIMITS)).run("prlimit64", 4711, 7, limits, 0))
                .isEqualTo(ALLOW);
    }

    @ParameterizedTest
    @EnumSource
    void truncatesOnlyWhatIsOpenedForWriting(Architecture architecture) {
        Calls old = new Calls(architecture, LEAST);
        long truncate = 01000;
        assertThat(old.run("openat", -100, 8, 0100 | truncate | 1))
                .as("O_WRONLY")
                .isEqualTo(ALLOW);
        assertThat(old.run("openat", -100, 8, 0100 | truncate | 2)).as("O_RDWR").isEqualTo(ALLOW);
        assertThat(old.run("openat", -100, 8, 02000000)).as("no O_TRUNC").isEqualTo(ALLOW);
        assertThat(old.run("openat", -100, 8, 3)).as("no mode, no O_TRUNC").isEqualTo(ALLOW);
        assertThat(old.run("openat", -100, 8, truncate)).as("O_RDONLY").isEqualTo(EPERM);
        assertThat(old.run("openat", -100, 8, truncate | 3)).as("no mode").isEqualTo(EPERM);
        if (architecture == Architecture.X86_64) {
            assertThat(old.run("open", 8, truncate)).isEqualTo(EPERM);
            assertThat(old.run("open", 8, truncate | 1)).isEqualTo(ALLOW);
            assertThat(old.run("open", 8, truncate | 3)).isEqualTo(EPERM);
        }
        assertThat(new Calls(architecture, MOST).run("openat", -100, 8, truncate))
                .isEqualTo(ALLOW);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void setUserIdModesAreRefusedAndNoOthers(Architecture architecture, Set<FilterOption> allowances) {
        Calls calls = new Calls(architecture, allowances);
        Map<String, Integer> modes =
                new LinkedHashMap<>(Map.of("fchmod", 1, "fchmodat", 2, "fchmodat2", 2, "mknodat", 2));
        if (architecture == Architecture.X86_64) {
            modes.putAll(Map.of("chmod", 1, "mknod", 1, "creat", 1));
        }
        modes.forEach((name, place) -> {
            for (long mode : new long[] {0, 0777, 01777, 02755, 03777, 0100644}) {
                assertThat(calls.run(name, moded(place, mode)))
                        .as("%s %o", name, mode)
                        .isEqualTo(ALLOW);
            }
            for (long mode : new long[] {04000, 04755, 06755, 07777, 0104755, 04755 | 0x10000, 04755 | ABOVE}) {
                assertThat(calls.run(name, moded(place, mode)))
                        .as("%s %o", name, mode)
                        .isEqualTo(EPERM);
            }
            assertThat(calls.run(name, moded(place, 0x10000 * 04755L)))
                    .as("%s: the kernel reads 16 bits", name)
                    .isEqualTo(ALLOW);
        });
    }

    private static long[] moded(int place, long mode) {
        long[] arguments = new long[4];
        arguments[place] = mode;
        return arguments;
    }

    @ParameterizedTest
    @MethodSource("programs")
    void openingRefusesSetUserIdModesWhereItCreates(Architecture architecture, Set<FilterOption> allowances) {
        Calls calls = new Calls(architecture, allowances);
        long create = 0101; // with O_WRONLY
        long temporary = 020200001;
        assertThat(calls.run("openat", -100, 8, create, 04755)).isEqualTo(EPERM);
        assertThat(calls.run("openat", -100, 8, create | ABOVE, 04755 | ABOVE)).isEqualTo(EPERM);
        assertThat(calls.run("openat", -100, 8, temporary, 04600)).isEqualTo(EPERM);
        assertThat(calls.run("openat", -100, 8, create, 02755)).isEqualTo(ALLOW);
        assertThat(calls.run("openat", -100, 8, temporary, 0600)).isEqualTo(ALLOW);
        assertThat(calls.run("openat", -100, 8, 1, 04755)).as("creates nothing").isEqualTo(ALLOW);
        assertThat(calls.run("openat2", -100, 8, 8, 24))
                .as("modes behind a pointer")
                .isEqualTo(ENOSYS);
        if (architecture == Architecture.X86_64) {
            assertThat(calls.run("open", 8, create, 04755)).isEqualTo(EPERM);
            assertThat(calls.run("open", 8, temporary, 04600)).isEqualTo(EPERM);
            assertThat(calls.run("open", 8, create, 0755)).isEqualTo(ALLOW);
            assertThat(calls.run("open", 8, 0, 04755)).isEqualTo(ALLOW);
        }
    }

    /** Together the cases above take both branches of every condition of the program. */
    @ParameterizedTest
    @MethodSource("programs")
    void everyInstructionHasItsCase(Architecture architecture, Set<FilterOption> allowances) throws IOException {
        BpfMachine machine = machine(architecture, allowances);
        Map<String, Integer> numbers = numbers(architecture);
        int entry = architecture.auditNumber();
        machine.run(0, 0);
        machine.run(entry, -1);
        long[] interesting = {
            0, 1, 2, 3, 5, 8, 10, 16, 0x20000, 0x20008, -1, TIOCSTI, 0x541C, 0x10000000, 01000, 01003, 04000, ABOVE
        };
        for (int number : numbers.values()) {
            for (long one : interesting) {
                for (long other : interesting) {
                    for (long last : new long[] {0, 04000}) {
                        machine.run(entry, number, one, other, 0, last);
                        machine.run(entry, number, one, 0, other, last);
                        machine.run(entry, number, 0, one, other, last);
                    }
                }
            }
        }
        for (int number = 0; number < 1024; number++) {
            machine.run(entry, number);
        }
        assertThat(machine.unseen()).isEmpty();
    }

    @Test
    void isPureFunction() {
        byte[] once = SyscallFilter.compile(Architecture.X86_64, LEAST);
        assertThat(SyscallFilter.compile(Architecture.X86_64, LEAST)).isEqualTo(once);
        assertThat(SyscallFilter.compile(Architecture.AARCH64, LEAST)).isNotEqualTo(once);
    }

    @Test
    void architecturesAreKnownByTheirJavaNames() {
        assertThat(Architecture.of("amd64")).contains(Architecture.X86_64);
        assertThat(Architecture.of("aarch64")).contains(Architecture.AARCH64);
        assertThat(Architecture.of("riscv64")).isEmpty();
    }

    private static BpfMachine machine(Architecture architecture, Set<FilterOption> allowances) {
        return new BpfMachine(SyscallFilter.compile(architecture, allowances));
    }

    private static Map<String, Integer> numbers(Architecture architecture) throws IOException {
        Map<String, Integer> numbers = new LinkedHashMap<>();
        for (String line : lines()) {
            String[] fields = line.split(" ", -1);
            String number = fields[architecture == Architecture.X86_64 ? 1 : 2];
            if (!line.startsWith("#") && !number.equals("-")) {
                numbers.put(fields[0], Integer.parseInt(number));
            }
        }
        assertThat(numbers).hasSizeGreaterThan(70);
        return numbers;
    }

    private static List<String> lines() throws IOException {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(SyscallFilterTest.class.getResourceAsStream("syscalls.txt")),
                StandardCharsets.UTF_8))) {
            return reader.lines().toList();
        }
    }

    /** Looks calls up by name. */
    private static final class Calls {
        private final Architecture architecture;
        private final BpfMachine machine;

        Calls(Architecture architecture, Set<FilterOption> allowances) {
            this.architecture = architecture;
            this.machine = machine(architecture, allowances);
        }

        int run(String name, long... arguments) {
            int number = Syscall.valueOf(name.toUpperCase(Locale.ROOT)).number(architecture);
            return machine.run(architecture.auditNumber(), number, arguments);
        }
    }
}
