package dev.paddock.executor.os.posix;

/**
 * The differences between the C libraries and kernels. The numbers are those of the platforms' own headers; macOS's
 * were checked against the published sources of its kernel (xnu), but have not been run there.
 *
 * @param library the C library's file
 * @param setSession {@code POSIX_SPAWN_SETSID}
 * @param closeByDefault {@code POSIX_SPAWN_CLOEXEC_DEFAULT}; 0 where a file action closes descriptors instead
 * @param stopSignal {@code SIGSTOP}
 * @param childSignal {@code SIGCHLD}
 * @param noWait {@code WNOWAIT}: the child stays a zombie
 * @param infoPid the offset of {@code si_pid} in {@code siginfo_t}
 * @param infoStatus the offset of {@code si_status}
 * @param closeOnExec {@code FIOCLEX}, for descriptors that cannot be created with close-on-exec
 * @param mayEnter the flags of an {@code open} that succeeds only for a directory that can be entered
 * @param hasLinuxCalls whether Linux's own calls are used: pidfds, epoll, anonymous files, and variadic functions with
 *     the ordinary calling convention, which AArch64 macOS lacks
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

    /** {@code O_PATH | O_DIRECTORY}; the second has a different number on AArch64. */
    private static final int LINUX_MAY_ENTER =
            0x200000 | (System.getProperty("os.arch", "").equals("aarch64") ? 0x4000 : 0x10000);

    static final Platform LINUX =
            new Platform("libc.so.6", 0x80, 0, 19, 17, 0x01000000, 16, 24, 0x5451, LINUX_MAY_ENTER, true);
    static final Platform MAC = new Platform(
            "/usr/lib/libSystem.B.dylib", 0x400, 0x4000, 17, 20, 0x20, 12, 20, 0x20006601, 0x100000, false);

    public static Platform ofThisMachine() {
        return LibC.isMac() ? MAC : LINUX;
    }

    /** Returns the same platform without Linux's own calls: the behavior of macOS, for tests on another system. */
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
