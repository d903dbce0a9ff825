package dev.paddock.executor.network;

import java.io.IOException;
import java.io.Serial;

/** Explains why a connection is refused, in a clause for people. */
final class RefusedException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    RefusedException(String reason) {
        super(reason);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
