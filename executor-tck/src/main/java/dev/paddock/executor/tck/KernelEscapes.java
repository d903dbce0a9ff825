package dev.paddock.executor.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.Guarantee;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** System calls that a filter has to refuse, tried for real. */
interface KernelEscapes {

    /** A call by its number on each architecture, and arguments that would do no harm. */
    enum Call {
        IO_URING_SETUP(425, 425, "1 0"),
        PTRACE_TRACEME(101, 117, "0 0 0 0"),
        PROCESS_VM_READV(310, 270, "1 0 0 0 0 0"),
        PROCESS_VM_WRITEV(311, 271, "1 0 0 0 0 0"),
        PIDFD_GETFD(438, 438, "-1 0 0"),
        KEYCTL(250, 219, "0 -3 0 0 0"),
        ADD_KEY(248, 217, "0 0 0 0 0"),
        BPF(321, 280, "0 0 0"),
        PERF_EVENT_OPEN(298, 241, "0 0 0 0 0"),
        USERFAULTFD(323, 282, "-1"),
        UNSHARE_USER(272, 97, "268435456"),
        SETNS(308, 268, "-1 0"),
        MOUNT(165, 40, "0 0 0 0 0"),
        OPEN_TREE(428, 428, "-1 0 -1"),
        PIVOT_ROOT(155, 41, "0 0"),
        CHROOT(161, 51, "0"),
        OPEN_BY_HANDLE_AT(304, 265, "-1 0 0"),
        KEXEC_LOAD(246, 104, "0 0 0 0"),
        INIT_MODULE(175, 105, "0 0 0"),
        ACCT(163, 89, "0"),
        SYSLOG(103, 116, "99 0 0");

        private final int x86;
        private final int arm;
        private final String arguments;

        Call(int x86, int arm, String arguments) {
            this.x86 = x86;
            this.arm = arm;
            this.arguments = arguments;
        }

        String[] words() {
            String architecture = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
            int number = architecture.matches("amd64|x86_64") ? x86 : arm;
            return ("syscall " + number + " " + arguments).split(" ", -1);
        }
    }

    /** io_uring is among them because its operations pass no filter. */
    @ParameterizedTest
    @EnumSource
    default void callIsRefusedByTheFilter(Call call, Escape escape) {
        escape.assumeClaimed(Guarantee.SYSCALL_FILTER);
        assertThat(escape.attempt(call.words()).text()).as(call.name()).isIn("refused: 1\n", "refused: 38\n");
        if (isRoot(escape) && !call.equals(Call.ACCT)) {
            assertThat(escape.attemptOutside(call.words()).text())
                    .as(call + " outside, where it reaches the kernel")
                    .isNotEqualTo("refused: 1\n");
        }
    }

    @Test
    default void filtersAreOn(Escape escape) {
        escape.assumeClaimed(Guarantee.SYSCALL_FILTER);
        assertThat(escape.run("cat /proc/self/status").text()).containsPattern("Seccomp:\\s+2");
    }

    /** A 32-bit program has other numbers for the calls, past the filter. */
    @Test
    default void noOtherEntry(Escape escape) {
        escape.assumeClaimed(Guarantee.SYSCALL_FILTER);
        assumeTrue(System.getProperty("os.arch", "").matches("amd64|x86_64"), "only x86-64 has another entry");
        // getpid of x32: the bit 30 with the number
        List<String> x32 = List.of("syscall", Integer.toString((1 << 30) + 39));
        Escape.Said said = escape.attempt(x32.toArray(String[]::new));
        assertThat(said)
                .as("refused, or ended by SIGSYS")
                .matches(end -> end.text().startsWith("refused: ") || end.code() == 128 + 31);
    }

    private static boolean isRoot(Escape escape) {
        return escape.runOutside("id -u").text().strip().equals("0");
    }
}
