package dev.paddock.executor.tck.escape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.Guarantee;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** System calls that a filter has to refuse, each actually made. */
public interface KernelEscapes {

    /**
     * A call by its number on each architecture, with harmless arguments for which the kernel
     * returns an error other than EPERM before it checks capabilities.
     */
    enum Call {
        IO_URING_SETUP(425, 425, "1 0"),
        IO_URING_ENTER(426, 426, "-1 0 0 0 0 0"),
        IO_URING_REGISTER(427, 427, "-1 99 0 0"),
        PTRACE_TRACEME(101, 117, "0 0 0 0"),
        PROCESS_VM_READV(310, 270, "1 0 0 0 0 0"),
        PROCESS_VM_WRITEV(311, 271, "1 0 0 0 0 0"),
        PROCESS_MADVISE(440, 440, "-1 0 0 0 0"),
        KCMP(312, 272, "0 0 99 0 0"),
        PIDFD_GETFD(438, 438, "-1 0 0"),
        KEYCTL(250, 219, "0 -3 0 0 0"),
        ADD_KEY(248, 217, "0 0 0 0 0"),
        REQUEST_KEY(249, 218, "0 0 0 0"),
        PERF_EVENT_OPEN(298, 241, "0 0 0 0 0"),
        USERFAULTFD(323, 282, "-1"),
        /** With a flag that does not exist, so that the kernel creates no namespace. */
        UNSHARE_USER(272, 97, "268435584"),
        SETNS(308, 268, "-1 0"),
        MOUNT(165, 40, "0 0 0 0 0"),
        OPEN_TREE(428, 428, "-1 0 -1"),
        MOUNT_SETATTR(442, 442, "-1 0 1 0 0"),
        CHROOT(161, 51, "0"),
        NAME_TO_HANDLE_AT(303, 264, "-1 0 0 0 2147483647");

        private final int x86;
        private final int arm;
        private final String arguments;

        Call(int x86, int arm, String arguments) {
            this.x86 = x86;
            this.arm = arm;
            this.arguments = arguments;
        }

        String number() {
            String architecture = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
            return Integer.toString(architecture.matches("amd64|x86_64") ? x86 : arm);
        }

        String[] words() {
            return ("syscall " + number() + " " + arguments).split(" ", -1);
        }
    }

    /**
     * Each call reaches the kernel where nothing filters it, with the same user and without
     * capabilities: the refusal inside is the filter's. io_uring is among the calls because its
     * operations bypass filters.
     */
    @ParameterizedTest
    @EnumSource
    default void callIsRefusedByFilter(Call call, Escape escape) {
        escape.assumeClaimed(Guarantee.SYSCALL_FILTER);
        assertThat(escape.attempt(call.words()).text()).as(call.name()).isIn("refused: 1\n", "refused: 38\n");
        assertThat(escape.attemptWithoutCapabilities(call.words()).text())
                .as(call + " without the filter")
                .isNotIn("refused: 1\n", "refused: 38\n")
                .matches("(done|refused: \\d+)\n");
    }

    @Test
    default void filtersAreOn(Escape escape) {
        escape.assumeClaimed(Guarantee.SYSCALL_FILTER);
        assertThat(escape.run("cat /proc/self/status").text()).containsPattern("Seccomp:\\s+2");
    }

    /** A 32-bit program uses other numbers for the calls, which would bypass the filter. */
    @Test
    default void noOtherEntry(Escape escape) {
        escape.assumeClaimed(Guarantee.SYSCALL_FILTER);
        assumeTrue(System.getProperty("os.arch", "").matches("amd64|x86_64"), "only x86-64 has another entry");
        // getpid of x32: the number with bit 30 set
        List<String> x32 = List.of("syscall", Integer.toString((1 << 30) + 39));
        Escape.Output output = escape.attempt(x32.toArray(String[]::new));
        assertThat(output)
                .as("refused, or ended by SIGSYS")
                .matches(end -> end.text().startsWith("refused: ") || end.code() == 128 + 31);
    }

    /** The ways to create a set-user-id file, which always runs as its owner. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "chmod 4755 made",
                "chmod u+s made",
                "cp made other && chmod 6755 other",
                "install -m 4755 made other",
                "perl -MPOSIX -e 'mkfifo q(other), 04755'",
                "perl -e 'open F, q(<made); chmod 04755, *F'",
                "perl -e 'sysopen F, q(other), 0101, 04755'",
                "perl -e '$how = pack q(Q3), 0101, 04755, 0; $new = q(other); syscall 437, -100, $new, $how, 24'",
            })
    default void setUserIdFilesCannotBeMade(String way, Escape escape) throws IOException {
        escape.assumeClaimed(Guarantee.SYSCALL_FILTER);
        String setUp = "rm -f made other; cp /bin/true made && chmod 2755 made || exit; ";
        Escape.Output inside = escape.run(
                way.startsWith("perl") ? "command -v perl >/dev/null || exit 96; " + setUp + way : setUp + way);
        assumeTrue(inside.code() != 96, "there is no perl where commands run");
        assertThat(escape.inside("made"))
                .as("a set-group-id file: %s", inside.text())
                .exists();
        assertThat(isSetUserId(escape))
                .as("after the attempt inside: %s", inside.text())
                .isFalse();
        escape.run("rm -f made other");
        escape.runOutside(setUp + way);
        assertThat(isSetUserId(escape)).as("after the same outside").isTrue();
    }

    /** A program with the capability to change its user could run as root for any user. */
    @Test
    default void filesCannotBeGivenCapabilities(Escape escape) {
        escape.assumeClaimed(Guarantee.SYSCALL_FILTER);
        String give =
                "command -v perl >/dev/null || exit 96; rm -f made; cp /bin/true made; perl -MPOSIX -e '$f = q(made);"
                        + " $n = q(security.capability); $v = pack q(V5), 0x02000001, 1 << 7, 0, 0, 0;"
                        + " $c = (POSIX::uname())[4] eq q(aarch64) ? 5 : 188;"
                        + " print syscall($c, $f, $n, $v, 20, 0) == 0 ? q(given) : q(refused)'; rm -f made";
        Escape.Output inside = escape.run(give);
        assumeTrue(inside.code() != 96, "there is no perl where commands run");
        assertThat(inside.text()).endsWith("refused");
        if ("root".equals(System.getProperty("user.name"))) {
            assertThat(escape.runOutside(give).text()).endsWith("given");
        }
    }

    private static boolean isSetUserId(Escape escape) throws IOException {
        for (String name : List.of("made", "other")) {
            Path file = escape.inside(name);
            if (Files.exists(file) && ((int) Files.getAttribute(file, "unix:mode") & 04000) != 0) {
                return true;
            }
        }
        return false;
    }
}
