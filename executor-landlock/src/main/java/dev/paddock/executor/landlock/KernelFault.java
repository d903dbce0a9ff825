package dev.paddock.executor.landlock;

import java.io.Serial;

/** The kernel refuses a sandbox. */
final class KernelFault extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    KernelFault(String message) {
        super(message);
    }
}
