package dev.paddock.cli.setup;

import java.io.Serial;

/** Reports that a client's settings cannot be changed; the file at fault is untouched. */
final class RefusedException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception.
     *
     * @param message what was found, in which file, and what to do
     */
    RefusedException(String message) {
        super(message);
    }
}
