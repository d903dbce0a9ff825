package dev.paddock.executor.landlock.kernel;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.paddock.executor.os.posix.Architecture;
import dev.paddock.executor.os.posix.Errno;
import dev.paddock.executor.os.posix.LibC;
import dev.paddock.executor.os.posix.Memory;
import dev.paddock.executor.os.posix.SystemCall;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Binds the system calls that confine a thread, through the C library's {@code syscall}. */
public final class LandlockKernel {

    // The same numbers on every architecture.
    private static final int CREATE_RULESET_VERSION = 1;
    private static final int RULE_PATH_BENEATH = 1;

    private static final int AT_FDCWD = -100;
    private static final int O_PATH = 010000000;
    private static final int O_CLOEXEC = 02000000;

    private static final int PR_SET_NO_NEW_PRIVS = 38;
    private static final int SECCOMP_SET_MODE_FILTER = 1;
    private static final int LINUX_CAPABILITY_VERSION_3 = 0x20080522;

    private static final int INSTRUCTION_BYTES = 8;

    private final LibC c;
    private final long process = ProcessHandle.current().pid();
    private final ByteBuffer capabilityHeader = Memory.allocate(8).putInt(0, LINUX_CAPABILITY_VERSION_3);
    private final ByteBuffer noCapabilities = Memory.allocate(24);

    /** A seccomp filter in memory, as {@code seccomp} takes it. */
    public record Program(ByteBuffer instructions, ByteBuffer header) {

        public static Program of(byte[] filter) {
            ByteBuffer instructions = Memory.allocate(filter.length).put(0, filter);
            ByteBuffer header = Memory.allocate(16)
                    .putShort(0, (short) (filter.length / INSTRUCTION_BYTES))
                    .putLong(8, Memory.address(instructions));
            return new Program(instructions, header);
        }
    }

    private LandlockKernel(LibC c) {
        this.c = c;
    }

    /** Binds the system calls; returns empty if they cannot be bound, or their numbers are unknown. */
    public static Optional<LandlockKernel> find() {
        return LibC.isLinux() && Architecture.current().isPresent()
                ? LibC.instance().map(LandlockKernel::new)
                : Optional.empty();
    }

    /** Returns the version of Landlock, from 1, or the negative error number. */
    public int version() {
        return (int) c.syscall(SystemCall.LANDLOCK_CREATE_RULESET, 0, 0, CREATE_RULESET_VERSION);
    }

    /**
     * Creates a ruleset in the kernel.
     *
     * @return its descriptor, which is closed on exec; the caller closes it
     * @throws KernelFault if it cannot be created
     */
    public int ruleset(LandlockRules rules) throws KernelFault {
        ByteBuffer attributes = Memory.allocate(24)
                .putLong(0, rules.files())
                .putLong(8, rules.ports())
                .putLong(16, rules.scopes());
        int size = rules.scopes() != 0 ? 24 : rules.ports() != 0 ? 16 : 8;
        int ruleset = require(
                "landlock_create_ruleset",
                c.syscall(SystemCall.LANDLOCK_CREATE_RULESET, Memory.address(attributes), size, 0));
        try {
            for (LandlockRules.Rule rule : rules.rules()) {
                add(ruleset, rule);
            }
            return ruleset;
        } catch (KernelFault fault) {
            c.close(ruleset);
            throw fault;
        }
    }

    private void add(int ruleset, LandlockRules.Rule rule) throws KernelFault {
        byte[] name = rule.path().getBytes(UTF_8);
        ByteBuffer path = Memory.allocate(name.length + 1).put(0, name);
        long opened = c.syscall(SystemCall.OPENAT, AT_FDCWD, Memory.address(path), O_PATH | O_CLOEXEC, 0);
        if (opened == -Errno.ENOENT) {
            return; // deleted since the rules were compiled: nothing to grant
        }
        int file = require("opening " + rule.path(), opened);
        try {
            ByteBuffer beneath = Memory.allocate(12).putLong(0, rule.rights()).putInt(8, file);
            require(
                    "landlock_add_rule for " + rule.path(),
                    c.syscall(SystemCall.LANDLOCK_ADD_RULE, ruleset, RULE_PATH_BENEATH, Memory.address(beneath), 0));
        } finally {
            c.close(file);
        }
    }

    public void close(int descriptor) {
        c.close(descriptor);
    }

    /**
     * Takes from the calling thread, and from all processes and threads that it starts, its capabilities, every way to
     * gain privileges, the system calls that the program denies, and the files that the rules do not grant. This cannot
     * be undone.
     *
     * <p>Kept capabilities would open the environment of the whole JVM to the command: in some versions the kernel lets
     * CAP_SYS_PTRACE past Landlock's check, and in all versions past the check of the user.
     *
     * @return 0, or the negative error number, with the thread maybe confined in part
     */
    public int confine(int ruleset, Program program) {
        long result = c.syscall(SystemCall.PRCTL, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        if (result == 0) {
            result = c.syscall(SystemCall.CAPSET, Memory.address(capabilityHeader), Memory.address(noCapabilities));
        }
        if (result == 0) {
            result = c.syscall(SystemCall.SECCOMP, SECCOMP_SET_MODE_FILTER, 0, Memory.address(program.header()));
        }
        if (result == 0) {
            result = c.syscall(SystemCall.LANDLOCK_RESTRICT_SELF, ruleset, 0);
        }
        return (int) result;
    }

    public long thread() {
        return c.syscall(SystemCall.GETTID);
    }

    /** Returns whether the kernel still lists a thread of this process, as {@code /proc} then does. */
    public boolean isThread(long thread) {
        return c.syscall(SystemCall.TGKILL, process, thread, 0) == 0;
    }

    private static int require(String what, long result) throws KernelFault {
        if (result < 0) {
            throw new KernelFault(what + ": " + Errno.text((int) -result));
        }
        return (int) result;
    }
}
