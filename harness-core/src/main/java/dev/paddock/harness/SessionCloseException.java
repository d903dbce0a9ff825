package dev.paddock.harness;

import dev.paddock.executor.ExecutorException;

/**
 * Reports that a step of closing a session failed, which is the cause, or exceeded its deadline and continues in the
 * background. Further failures are suppressed.
 *
 * @since 0.1
 */
public final class SessionCloseException extends ExecutorException {
    private static final long serialVersionUID = 1;

    SessionCloseException(String message) {
        super(message);
    }

    SessionCloseException(String message, Throwable cause) {
        super(message, cause);
    }
}
