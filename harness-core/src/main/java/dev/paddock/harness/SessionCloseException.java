package dev.paddock.harness;

import dev.paddock.executor.ExecutorException;

/**
 * Reports that a session was closed, but a part of it failed to, which is the cause; or did not end
 * within its time, so that it goes on unattended. Further failures are suppressed.
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
