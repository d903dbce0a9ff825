package dev.paddock.executor.os.posix;

import java.io.IOException;
import java.io.Serial;

/** Reports that a call of the C library failed. */
public final class NativeFault extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final int errno;

    /**
     * Creates a fault.
     *
     * @param call the call that failed, for people
     * @param errno the positive error number
     */
    public NativeFault(String call, int errno) {
        super(call + ": " + Errno.text(errno));
        this.errno = errno;
    }

    public int errno() {
        return errno;
    }
}
