package dev.paddock.harness.model;

import java.io.Serial;

/**
 * Reports that a script cannot be played: it is malformed, the session deviates from it, or it has no turns left.
 *
 * @since 0.1
 */
public final class ScriptException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    ScriptException(String message) {
        super(message);
    }

    ScriptException(String message, Throwable cause) {
        super(message, cause);
    }
}
