package dev.paddock.executor.sandbox.seccomp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.paddock.executor.os.posix.Architecture;
import dev.paddock.executor.tck.subject.Prerequisite;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Makes the denied calls for real: under the filter each fails with its listed error, without the
 * filter each reaches the kernel, which returns another result. The arguments are chosen so that
 * the kernel's result does no harm to the caller, root included.
 */
@EnabledOnOs(OS.LINUX)
class RefusedCallsTest {

    private static final int EPERM = 1;
    private static final int ENOSYS = 38;

    private static final Set<FilterOption> LEAST = EnumSet.noneOf(FilterOption.class);

    /**
     * Without the filter the kernel checks privileges first, so that only root sees another error.
     */
    private static final Set<String> PRIVILEGED = Set.of(
            "bpf",
            "perf_event_open",
            "fanotify_init",
            "lookup_dcookie",
            "mount",
            "umount2",
            "pivot_root",
            "chroot",
            "move_mount",
            "fsopen",
            "fsmount",
            "fspick",
            "open_by_handle_at",
            "kexec_load",
            "kexec_file_load",
            "init_module",
            "finit_module",
            "delete_module",
            "reboot",
            "swapon",
            "swapoff",
            "quotactl",
            "acct",
            "syslog",
            "settimeofday",
            "clock_settime",
            "sethostname",
            "setdomainname",
            "userfaultfd",
            "unshare",
            "io_uring_setup");

    private static final List<String> CALLS = List.of(
            "socket 1 1 0",
            "socketpair 1 2 0 B",
            "ptrace 0 0 0 0",
            "process_vm_readv 0 0 0 0 0 0",
            "process_vm_writev 0 0 0 0 0 0",
            "process_madvise -1 0 0 0 0",
            "kcmp 0 0 99 0 0",
            "pidfd_getfd -1 0 0",
            "io_uring_setup 0 1",
            "io_uring_enter -1 0 0 0 0 0",
            "io_uring_register -1 99 0 0",
            "keyctl 9999 0 0 0 0",
            "add_key 1 1 1 0 0",
            "request_key 1 1 1 0",
            "bpf 9999 0 0",
            "perf_event_open 1 0 0 -1 0",
            "userfaultfd 99",
            "fanotify_init 0x7fffffff 0",
            "setns -1 0",
            "unshare 0x04000080",
            "mount 1 1 1 0 1",
            "umount2 1 0",
            "pivot_root 1 1",
            "chroot 1",
            "mount_setattr -1 1 0 1 0",
            "open_tree -1 1 0x7fffffff",
            "move_mount -1 1 -1 1 0x7fffffff",
            "fsopen 1 99",
            "fsconfig -1 99 0 0 0",
            "fsmount -1 99 0",
            "fspick -1 1 99",
            "open_by_handle_at -1 1 0",
            "name_to_handle_at -1 1 1 1 0x7fffffff",
            "init_module 1 1 1",
            "finit_module -1 1 99",
            "delete_module 1 0",
            "reboot 0 0 0 0",
            "swapon 1 -1",
            "swapoff 1",
            "quotactl -1 1 0 0",
            "quotactl_fd -1 -1 0 0",
            "acct 1",
            "syslog 99 0 0",
            "settimeofday 1 1",
            "clock_settime 99 1",
            "clock_adjtime 99 1",
            "sethostname 1 -1",
            "setdomainname 1 -1",
            "shmget 0 0 0",
            "shmat -1 0 0",
            "semget 0 -1 0",
            "semop -1 1 1",
            "msgget 4711 0",
            "msgrcv -1 0 -1 0 0",
            "mq_open 1 0 0 0",
            "mq_unlink 1",
            "ioctl 1 0x5412 B",
            "ioctl 1 0x541c B",
            "prlimit64 -1 7 B 0",
            "truncate 1 0",
            "openat -100 1 0x200");

    @TempDir
    static Path directory;

    private static Path script;

    @BeforeAll
    static void writeScript() throws IOException {
        Prerequisite.require(Files.isExecutable(Path.of("/usr/bin/perl")), "there is no perl to make the calls with");
        assumeTrue(Architecture.current().isPresent(), "a filter can be made for this architecture");
        script = directory.resolve("calls.pl");
        try (InputStream text = Objects.requireNonNull(RefusedCallsTest.class.getResourceAsStream("calls.pl"))) {
            Files.copy(text, script);
        }
    }

    @Test
    void refusedCallsAreRefusedForReal() throws Exception {
        List<String> lines = CALLS.stream().map(RefusedCallsTest::numbered).toList();
        Map<String, Integer> free = run(null, lines);
        Map<String, Integer> filtered = run(LEAST, lines);
        boolean root = System.getProperty("user.name").equals("root");
        assertThat(filtered).hasSameSizeAs(CALLS);
        filtered.forEach((call, error) -> assertThat(error).as(call).isEqualTo(EPERM));
        free.forEach((call, error) -> {
            if (root || !PRIVILEGED.contains(call.split("#", 2)[0])) {
                assertThat(error).as("without the filter: %s", call).isNotEqualTo(EPERM);
            }
        });
    }

    @Test
    void newerCallsAreAbsentSoThatProgramsTakeOlderOnes() throws Exception {
        List<String> lines = List.of(numbered("clone3 0 0"), numbered("openat2 -100 1 0 0"));
        assertThat(run(null, lines).values()).doesNotContain(EPERM, ENOSYS);
        assertThat(run(LEAST, lines).values()).containsOnly(ENOSYS);
    }

    /** Each way to create a set-user-id file, or to make a file one; FILE is the file. */
    private static final List<String> SET_USER_ID = List.of(
            "chmod FILE 0104755",
            "chmod FILE 04755",
            "fchmod OPEN 04755",
            "fchmodat -100 FILE 04755",
            "fchmodat2 -100 FILE 04755 0",
            "mknod NEW 0104755 0",
            "mknodat -100 NEW 0104755 0",
            "creat NEW 04755",
            "open NEW 0101 04755",
            "openat -100 NEW 0101 04755",
            "openat -100 DIRECTORY 020200001 04755");

    @Test
    void setUserIdFilesCannotBeMade() throws Exception {
        List<String> ways = SET_USER_ID.stream()
                .filter(line -> numberOf(line.split(" ", 2)[0]) != Syscall.NONE)
                .toList();
        List<String> refused = ways.stream().map(RefusedCallsTest::numbered).toList();
        List<String> allowed = ways.stream()
                .map(line -> numbered(line.replace("4755", "2755")))
                .toList();
        for (Set<FilterOption> options : List.of(EnumSet.allOf(FilterOption.class), LEAST)) {
            run(options, refused)
                    .forEach((call, error) -> assertThat(error).as(call).isEqualTo(EPERM));
            run(options, allowed)
                    .forEach((call, error) -> assertThat(error).as(call).isZero());
            assertThat(run(options, List.of(numbered("mkdirat -100 NEW 06755"))).values())
                    .containsOnly(0);
        }
        assertThat(setUserIdFiles()).as("under the filter").isEmpty();
        run(null, refused)
                .forEach((call, error) ->
                        assertThat(error).as("without the filter: %s", call).isZero());
        assertThat(setUserIdFiles()).as("without the filter").hasSizeGreaterThan(ways.size() / 2);
    }

    private static List<Path> setUserIdFiles() throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                if (((int) Files.getAttribute(entry, "unix:mode") & 04000) != 0) {
                    found.add(entry);
                }
            }
        }
        return found;
    }

    @Test
    void upperHalfOfIoctlRequestDoesNotBypassFilter() throws Exception {
        List<String> lines = List.of(numbered("ioctl 1 " + (0x5412L | 1L << 32) + " B"));
        assertThat(run(null, lines).values()).doesNotContain(EPERM);
        assertThat(run(LEAST, lines).values()).containsOnly(EPERM);
    }

    @Test
    void datagramPairsAreRefusedAndStreamPairsAreNot() throws Exception {
        List<String> lines = List.of(
                numbered("socketpair 1 1 0 B"),
                numbered("socketpair 1 0x80801 0 B"),
                numbered("socketpair 1 5 0 B"),
                numbered("socketpair 1 2 0 B"),
                numbered("socketpair 1 3 0 B"));
        assertThat(run(null, lines).values()).containsExactly(0, 0, 0, 0, 0);
        assertThat(run(LEAST, lines).values()).containsExactly(0, 0, 0, EPERM, EPERM);
    }

    @Test
    void allowedCallsWork() throws Exception {
        List<String> lines = List.of(
                numbered("socket 2 1 0"),
                numbered("socket 2 2 0"),
                numbered("socket 16 3 0"),
                numbered("socketpair 1 1 0 B"),
                numbered("semget 0 1 0600"),
                numbered("prlimit64 0 7 0 B"));
        assertThat(run(EnumSet.allOf(FilterOption.class), lines).values()).containsOnly(0);
        assertThat(run(LEAST, lines).values()).containsExactly(EPERM, EPERM, EPERM, 0, EPERM, 0);
    }

    @Test
    void the32BitEntryEndsProcess() throws Exception {
        assumeTrue(Architecture.current().orElseThrow() == Architecture.X86_64, "an entry of x86");
        Path program = directory.resolve("entry");
        Files.write(program, callThroughThe32BitEntry());
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        assumeTrue(status(null, program) == 0, "the kernel has the 32-bit entry");
        assertThat(status(LEAST, program)).as("128 + SIGSYS").isEqualTo(128 + 31);
    }

    @Test
    void x32EntryReachesNothing() throws Exception {
        assumeTrue(Architecture.current().orElseThrow() == Architecture.X86_64, "an entry of x86");
        List<String> lines = List.of("socket " + (0x40000000 | 41) + " 1 1 0");
        assertThat(run(LEAST, lines).values()).containsOnly(ENOSYS);
    }

    /**
     * Returns an ELF program that requests its process id by {@code int $0x80} and exits with 0.
     */
    private static byte[] callThroughThe32BitEntry() {
        byte[] code = {
            (byte) 0xB8, 20, 0, 0, 0, (byte) 0xCD, (byte) 0x80, 0x31, (byte) 0xFF, (byte) 0xB8, 60, 0, 0, 0, 0x0F, 0x05
        };
        int headers = 64 + 56;
        long base = 0x400000;
        ByteBuffer elf = ByteBuffer.allocate(headers + code.length).order(ByteOrder.LITTLE_ENDIAN);
        elf.put(new byte[] {0x7F, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0});
        elf.putShort((short) 2).putShort((short) 62).putInt(1); // executable, x86-64
        elf.putLong(base + headers).putLong(64).putLong(0).putInt(0); // entry, program headers
        elf.putShort((short) 64).putShort((short) 56).putShort((short) 1);
        elf.putShort((short) 0).putShort((short) 0).putShort((short) 0);
        elf.putInt(1).putInt(5).putLong(0).putLong(base).putLong(base); // load, read and execute
        elf.putLong(headers + code.length).putLong(headers + code.length).putLong(0x1000);
        return elf.put(code).array();
    }

    private static String numbered(String line) {
        String[] words = line.split(" ", 2);
        int number = numberOf(words[0]);
        StringBuilder arguments = new StringBuilder();
        for (String word : words[1].split(" ", -1)) {
            arguments
                    .append(' ')
                    .append(word.matches("[A-Z]+") ? word : Long.decode(word).toString());
        }
        return words[0] + "#" + words[1].replace(' ', ',') + " " + number + arguments;
    }

    private static int numberOf(String call) {
        return call.equals("mkdirat")
                ? Architecture.current().orElseThrow() == Architecture.X86_64 ? 258 : 34
                : Syscall.valueOf(call.toUpperCase(Locale.ROOT))
                        .number(Architecture.current().orElseThrow());
    }

    /** Returns the error of each call by its label, in the order given; 0 for none. */
    private static Map<String, Integer> run(@Nullable Set<FilterOption> allowances, List<String> lines)
            throws Exception {
        Process perl = start(allowances, null);
        perl.outputWriter(StandardCharsets.UTF_8)
                .append(String.join("\n", lines) + "\n")
                .close();
        Map<String, Integer> errors = new LinkedHashMap<>();
        for (String answer : perl.inputReader(StandardCharsets.UTF_8).lines().toList()) {
            String[] words = answer.split(" ", 2);
            errors.put(words[0], Integer.valueOf(words[1]));
        }
        assertThat(perl.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(errors).as("all calls returned").hasSameSizeAs(lines);
        return errors;
    }

    private static int status(@Nullable Set<FilterOption> allowances, Path program) throws Exception {
        Process perl = start(allowances, program);
        perl.outputWriter().close();
        assertThat(perl.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return perl.exitValue();
    }

    private static Process start(@Nullable Set<FilterOption> allowances, @Nullable Path program) throws IOException {
        Architecture architecture = Architecture.current().orElseThrow();
        boolean x86 = architecture == Architecture.X86_64;
        List<String> arguments = new ArrayList<>(List.of("/usr/bin/perl", script.toString(), ""));
        arguments.addAll(x86 ? List.of("157", "317") : List.of("167", "277"));
        if (program != null) {
            arguments.add(program.toString());
        }
        if (allowances != null) {
            Path filter = Files.createTempFile(directory, "filter", "");
            Files.write(filter, SyscallFilter.compile(architecture, allowances));
            arguments.set(2, filter.toString());
        }
        return new ProcessBuilder(arguments)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }
}
