package dev.paddock.harness;

/**
 * Reports that a session was closed, but a part of it did not end within its time: what it was doing
 * goes on unattended.
 *
 * @since 0.1
 */
public final class SessionCloseException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    SessionCloseException(String message) {
        super(message);
    }

    SessionCloseException(String message, Throwable cause) {
        super(message, cause);
    }
}
