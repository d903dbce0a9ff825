package dev.paddock.executor.process.posix;

import java.io.IOException;
import java.io.Serial;

/** A call of the C library that failed. */
public final class NativeFault extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final int errno;

    /**
     * Makes a fault.
     *
     * @param call what failed, for people
     * @param errno the positive error number
     */
    public NativeFault(String call, int errno) {
        super(call + ": " + Errno.text(errno));
        this.errno = errno;
    }

    /** The positive error number. */
    public int errno() {
        return errno;
    }
}
