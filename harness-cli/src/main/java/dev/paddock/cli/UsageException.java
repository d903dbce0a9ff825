package dev.paddock.cli;

import java.io.Serial;

/** The command line cannot be carried out as it stands; nothing has been done. */
final class UsageException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception.
     *
     * @param message what is wrong, the value at fault, and what to write instead
     */
    UsageException(String message) {
        super(message);
    }
}
