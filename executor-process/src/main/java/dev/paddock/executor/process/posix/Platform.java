package dev.paddock.executor.process.posix;

/**
 * What one C library and kernel do otherwise than another. The numbers are those of the platforms' own headers; macOS's are
 * checked against the published sources of its kernel (xnu), and nothing has been run there.
 *
 * @param library the C library's file
 * @param setSession {@code POSIX_SPAWN_SETSID}
 * @param closeByDefault {@code POSIX_SPAWN_CLOEXEC_DEFAULT}; 0 where descriptors are closed by a file action instead
 * @param stopSignal {@code SIGSTOP}
 * @param childSignal {@code SIGCHLD}
 * @param noWait {@code WNOWAIT}: the child stays a zombie
 * @param infoPid where {@code si_pid} is in {@code siginfo_t}
 * @param infoStatus where {@code si_status} is
 * @param closeOnExec {@code FIOCLEX}, for descriptors that cannot be made so from the start
 * @param mayEnter the flags of an {@code open} that succeeds for a directory that can be entered, and for nothing else
 * @param hasLinuxCalls whether what only Linux has is used: descriptors of processes, epoll, anonymous files, and variadic
 *     functions called like any other, which AArch64 macOS passes in another way
 */
public record Platform(
        String library,
        int setSession,
        int closeByDefault,
        int stopSignal,
        int childSignal,
        int noWait,
        int infoPid,
        int infoStatus,
        int closeOnExec,
        int mayEnter,
        boolean hasLinuxCalls) {

    /** {@code O_PATH | O_DIRECTORY}, the second of which has a number of its own on AArch64. */
    private static final int LINUX_MAY_ENTER =
            0x200000 | (System.getProperty("os.arch", "").equals("aarch64") ? 0x4000 : 0x10000);

    static final Platform LINUX =
            new Platform("libc.so.6", 0x80, 0, 19, 17, 0x01000000, 16, 24, 0x5451, LINUX_MAY_ENTER, true);
    static final Platform MAC = new Platform(
            "/usr/lib/libSystem.B.dylib", 0x400, 0x4000, 17, 20, 0x20, 12, 20, 0x20006601, 0x100000, false);

    /** This machine's. */
    public static Platform ofThisMachine() {
        return LibC.isMac() ? MAC : LINUX;
    }

    /** The same without what only Linux has: how macOS is treated, to be run elsewhere. */
    public Platform portable() {
        return new Platform(
                library,
                setSession,
                closeByDefault,
                stopSignal,
                childSignal,
                noWait,
                infoPid,
                infoStatus,
                closeOnExec,
                mayEnter,
                false);
    }
}
