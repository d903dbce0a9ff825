package dev.paddock.executor.landlock.kernel;

import java.io.Serial;

/** The kernel refuses a sandbox. */
public final class KernelFault extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    KernelFault(String message) {
        super(message);
    }
}
