package dev.paddock.executor.os.posix;

import java.util.Map;

/** The error numbers that Paddock checks, and the names of those that users meet. */
public final class Errno {
    public static final int EINTR = 4;
    public static final int ENOENT = 2;
    public static final int ESRCH = 3;
    public static final int EIO = 5;
    public static final int E2BIG = 7;
    public static final int EACCES = 13;
    public static final int ENOTDIR = 20;
    public static final int ENOSYS = LibC.isMac() ? 78 : 38;
    public static final int EAGAIN = LibC.isMac() ? 35 : 11;

    private static final Map<Integer, String> NAMES = Map.ofEntries(
            Map.entry(1, "operation not permitted"),
            Map.entry(ENOENT, "no such file or directory"),
            Map.entry(EINTR, "interrupted"),
            Map.entry(EIO, "input/output error"),
            Map.entry(E2BIG, "arguments and environment are too long"),
            Map.entry(ESRCH, "no such process"),
            Map.entry(8, "not an executable format"),
            Map.entry(9, "bad file descriptor"),
            Map.entry(EAGAIN, "no more processes or threads may be started"),
            Map.entry(12, "out of memory"),
            Map.entry(EACCES, "permission denied"),
            Map.entry(ENOTDIR, "not a directory"),
            Map.entry(17, "it exists already"),
            Map.entry(18, "on another file system"),
            Map.entry(21, "a directory"),
            Map.entry(22, "invalid argument"),
            Map.entry(27, "larger than the file system or the limit allows"),
            Map.entry(28, "no space left on the device"),
            Map.entry(30, "a read-only file system"),
            Map.entry(36, "the name is too long"),
            Map.entry(39, "the directory is not empty"),
            Map.entry(40, "a symbolic link"),
            Map.entry(95, "not supported by the file system"),
            Map.entry(110, "it took too long"),
            Map.entry(122, "the disk quota is exhausted"),
            Map.entry(23, "too many open files on the machine"),
            Map.entry(24, "too many open files"),
            Map.entry(32, "broken pipe"),
            Map.entry(ENOSYS, "not implemented by this kernel"));

    private Errno() {}

    /** Returns the meaning of an error number, for people. */
    public static String text(int errno) {
        String name = NAMES.get(errno);
        return name == null ? "error " + errno : name + " (error " + errno + ")";
    }
}
