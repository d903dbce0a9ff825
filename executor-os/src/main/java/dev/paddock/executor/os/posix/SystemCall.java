package dev.paddock.executor.os.posix;

import java.util.Optional;

/**
 * The system calls that Paddock makes by number. The numbers differ between architectures, except those of calls added
 * after the tables were unified.
 */
public enum SystemCall {
    READ(0, 63),
    WRITE(1, 64),
    CLOSE(3, 57),
    LSEEK(8, 62),
    FLOCK(73, 32),
    STATFS(137, 43),
    FTRUNCATE(77, 46),
    FCHMOD(91, 52),
    FCHOWN(93, 55),
    FSETXATTR(190, 7),
    FGETXATTR(193, 10),
    FLISTXATTR(196, 13),
    MKDIRAT(258, 34),
    UNLINKAT(263, 35),
    LINKAT(265, 37),
    SYMLINKAT(266, 36),
    READLINKAT(267, 78),
    FCHMODAT(268, 53),
    SYNC_FILE_RANGE(277, 84),
    UTIMENSAT(280, 88),
    SYNCFS(306, 267),
    RENAMEAT2(316, 276),
    COPY_FILE_RANGE(326, 285),
    DUP3(292, 24),
    FCNTL(72, 25),
    IOCTL(16, 29),
    OPENAT(257, 56),
    CHDIR(80, 49),
    EXECVE(59, 221),
    SOCKET(41, 198),
    CONNECT(42, 203),
    SENDMSG(46, 211),
    RECVMSG(47, 212),
    BIND(49, 200),
    LISTEN(50, 201),
    GETSOCKNAME(51, 204),
    GETSOCKOPT(55, 209),
    GETEGID(108, 177),
    GETTID(186, 178),
    SETSID(112, 157),
    TGKILL(234, 131),
    PRCTL(157, 167),
    CAPSET(126, 91),
    SECCOMP(317, 277),
    PRLIMIT64(302, 261),
    SETNS(308, 268),
    GETDENTS64(217, 61),
    STATX(332, 291),
    INOTIFY_ADD_WATCH(254, 27),
    INOTIFY_INIT1(294, 26),
    ACCEPT4(288, 242),
    PIDFD_SEND_SIGNAL(424, 424),
    PIDFD_OPEN(434, 434),
    OPENAT2(437, 437),
    PIDFD_GETFD(438, 438),
    LANDLOCK_CREATE_RULESET(444, 444),
    LANDLOCK_ADD_RULE(445, 445),
    LANDLOCK_RESTRICT_SELF(446, 446);

    /** No call has this number: the kernel reports that it is not implemented. */
    private static final int NONE = -1;

    private final int x86;
    private final int arm;
    private final int here;

    SystemCall(int x86, int arm) {
        this.x86 = x86;
        this.arm = arm;
        Optional<Architecture> architecture = Architecture.current();
        here = architecture.isPresent() ? number(architecture.get()) : x86 == arm ? x86 : NONE;
    }

    public int number(Architecture architecture) {
        return switch (architecture) {
            case X86_64 -> x86;
            case AARCH64 -> arm;
        };
    }

    /** Returns the call's number on this machine; negative if unknown. */
    int number() {
        return here;
    }
}
