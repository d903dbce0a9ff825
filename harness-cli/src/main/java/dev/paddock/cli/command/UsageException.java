package dev.paddock.cli.command;

import java.io.Serial;

/** Reports an invalid command line; nothing has been done. */
public final class UsageException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what is wrong, the value at fault, and what to write instead
     */
    public UsageException(String message) {
        super(message);
    }
}
