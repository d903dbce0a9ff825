package dev.paddock.executor;

import java.io.Serial;

/**
 * The command, its directory or its environment cannot be had. Nothing has run.
 */
public final class SpawnException extends ExecutorException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception.
     *
     * @param message what is wrong, and with which value
     */
    public SpawnException(String message) {
        super(message);
    }

    /**
     * Makes an exception with a cause.
     *
     * @param message what is wrong, and with which value
     * @param cause what led to it
     */
    public SpawnException(String message, Throwable cause) {
        super(message, cause);
    }
}
