package dev.paddock.executor.landlock.kernel;

import java.io.Serial;

/** Reports that the kernel rejects a sandbox. */
public final class KernelFault extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    KernelFault(String message) {
        super(message);
    }
}
