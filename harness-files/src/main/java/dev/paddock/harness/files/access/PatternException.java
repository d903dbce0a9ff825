package dev.paddock.harness.files.access;

import java.io.Serial;

/**
 * Reports a glob or a regular expression that is malformed or takes too long to match. The message says where and why,
 * and is addressed to the caller that chose the pattern.
 *
 * @since 0.1
 */
public final class PatternException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what happened, with the pattern where that helps, and the remedy
     */
    public PatternException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message what happened, with the pattern where that helps, and the remedy
     * @param cause the failure of the platform's engine
     */
    public PatternException(String message, Throwable cause) {
        super(message, cause);
    }
}
