package dev.paddock.executor.os.file;

import dev.paddock.executor.os.posix.Errno;
import java.io.IOException;
import java.io.Serial;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Reports a system call that failed; the caller adds the path. */
public final class Fault extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    public static final int ENOENT = Errno.ENOENT;
    public static final int EEXIST = 17;
    public static final int EACCES = Errno.EACCES;
    public static final int EAGAIN = 11;
    public static final int ENOTDIR = Errno.ENOTDIR;
    public static final int EOPNOTSUPP = 95;
    public static final int ENXIO = 6;
    public static final int EXDEV = 18;
    public static final int ENOTEMPTY = 39;
    public static final int EINVAL = 22;
    static final int EISDIR = 21;
    static final int EPERM = 1;
    private static final int ENODATA = 61;
    private static final int EINTR = Errno.EINTR;
    public static final int EFBIG = 27;
    static final int ETIMEDOUT = 110;
    public static final int ELOOP = 40;
    private static final int ESTALE = 116;

    private final int errno;

    Fault(int errno) {
        super(Errno.text(errno));
        this.errno = errno;
    }

    /** Ends work whose size a command has chosen, once the thread is interrupted; keeps its interrupt status. */
    public static void throwIfInterrupted() throws Fault {
        if (Thread.currentThread().isInterrupted()) {
            throw new Fault(EINTR);
        }
    }

    public boolean is(int number) {
        return errno == number;
    }

    public FileSystemException at(String path) {
        return switch (errno) {
            case ENOENT -> new NoSuchFileException(path);
            case ENOTDIR -> new NotDirectoryException(path);
            case EACCES -> new AccessDeniedException(path);
            default -> new FileSystemException(path, null, Errno.text(errno));
        };
    }

    /** Returns whether an existing entry was removed or replaced. */
    public boolean showsChange() {
        return switch (errno) {
            case ENOENT, ENOTDIR, ELOOP, ESTALE, ENXIO, ENODATA -> true;
            default -> false;
        };
    }

    /** Returns whether the file system or the kernel lacks such a call or attribute. */
    boolean isUnsupported() {
        return errno == EOPNOTSUPP || errno == Errno.ENOSYS || errno == EXDEV || errno == EINVAL;
    }
}
