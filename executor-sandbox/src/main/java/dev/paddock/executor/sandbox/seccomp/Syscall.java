package dev.paddock.executor.sandbox.seccomp;

import dev.paddock.executor.os.posix.Architecture;
import java.util.Locale;

/**
 * The system calls that a filter names, with their numbers on each architecture; {@link #NONE} where a call does not
 * exist.
 */
enum Syscall {
    SOCKET(41, 198),
    SOCKETPAIR(53, 199),
    IOCTL(16, 29),
    CLONE(56, 220),
    CLONE3(435, 435),
    UNSHARE(272, 97),
    PRLIMIT64(302, 261),
    OPEN(2, Syscall.NONE),
    OPENAT(257, 56),
    OPENAT2(437, 437),
    TRUNCATE(76, 45),
    CREAT(85, Syscall.NONE),
    CHMOD(90, Syscall.NONE),
    FCHMOD(91, 52),
    FCHMODAT(268, 53),
    FCHMODAT2(452, 452),
    MKNOD(133, Syscall.NONE),
    MKNODAT(259, 33),

    PTRACE(101, 117),
    PROCESS_VM_READV(310, 270),
    PROCESS_VM_WRITEV(311, 271),
    PROCESS_MADVISE(440, 440),
    KCMP(312, 272),
    PIDFD_GETFD(438, 438),

    IO_URING_SETUP(425, 425),
    IO_URING_ENTER(426, 426),
    IO_URING_REGISTER(427, 427),

    KEYCTL(250, 219),
    ADD_KEY(248, 217),
    REQUEST_KEY(249, 218),

    BPF(321, 280),
    PERF_EVENT_OPEN(298, 241),
    USERFAULTFD(323, 282),
    FANOTIFY_INIT(300, 262),
    LOOKUP_DCOOKIE(212, 18),

    SETNS(308, 268),
    MOUNT(165, 40),
    UMOUNT2(166, 39),
    PIVOT_ROOT(155, 41),
    CHROOT(161, 51),
    MOUNT_SETATTR(442, 442),
    OPEN_TREE(428, 428),
    OPEN_TREE_ATTR(467, 467),
    MOVE_MOUNT(429, 429),
    FSOPEN(430, 430),
    FSCONFIG(431, 431),
    FSMOUNT(432, 432),
    FSPICK(433, 433),
    OPEN_BY_HANDLE_AT(304, 265),
    NAME_TO_HANDLE_AT(303, 264),

    KEXEC_LOAD(246, 104),
    KEXEC_FILE_LOAD(320, 294),
    INIT_MODULE(175, 105),
    FINIT_MODULE(313, 273),
    CREATE_MODULE(174, Syscall.NONE),
    DELETE_MODULE(176, 106),
    REBOOT(169, 142),
    SWAPON(167, 224),
    SWAPOFF(168, 225),
    QUOTACTL(179, 60),
    QUOTACTL_FD(443, 443),
    ACCT(163, 89),
    SYSLOG(103, 116),
    SETTIMEOFDAY(164, 170),
    CLOCK_SETTIME(227, 112),
    CLOCK_ADJTIME(305, 266),
    SETHOSTNAME(170, 161),
    SETDOMAINNAME(171, 162),
    IOPL(172, Syscall.NONE),
    IOPERM(173, Syscall.NONE),
    VHANGUP(153, 58),
    NFSSERVCTL(180, 42),
    USELIB(134, Syscall.NONE),

    SHMGET(29, 194),
    SHMAT(30, 196),
    SHMCTL(31, 195),
    SHMDT(67, 197),
    SEMGET(64, 190),
    SEMOP(65, 193),
    SEMCTL(66, 191),
    SEMTIMEDOP(220, 192),
    MSGGET(68, 186),
    MSGSND(69, 189),
    MSGRCV(70, 188),
    MSGCTL(71, 187),
    MQ_OPEN(240, 180),
    MQ_UNLINK(241, 181),

    PERSONALITY(135, 92),
    GET_MEMPOLICY(239, 236),
    SET_MEMPOLICY(238, 237),
    SET_MEMPOLICY_HOME_NODE(450, 450),
    MBIND(237, 235),
    MIGRATE_PAGES(256, 238),
    MOVE_PAGES(279, 239),
    SYSFS(139, Syscall.NONE),
    USTAT(136, Syscall.NONE),
    _SYSCTL(156, Syscall.NONE),
    GET_KERNEL_SYMS(177, Syscall.NONE),
    QUERY_MODULE(178, Syscall.NONE),

    SETXATTR(188, 5),
    LSETXATTR(189, 6),
    FSETXATTR(190, 7),
    SETXATTRAT(463, 463),
    REMOVEXATTR(197, 14),
    LREMOVEXATTR(198, 15),
    FREMOVEXATTR(199, 16),
    REMOVEXATTRAT(466, 466),
    FILE_SETATTR(469, 469);

    static final int NONE = -1;

    private final int x86;
    private final int arm;

    Syscall(int x86, int arm) {
        this.x86 = x86;
        this.arm = arm;
    }

    /** Returns the call's name in the kernel's headers. */
    String symbol() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the call's number, or {@link #NONE}. */
    int number(Architecture architecture) {
        return switch (architecture) {
            case X86_64 -> x86;
            case AARCH64 -> arm;
        };
    }
}
