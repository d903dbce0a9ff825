package dev.paddock.executor;

import java.io.Serial;

/**
 * Reports that the command, its directory or its environment is invalid or unusable. Nothing has
 * run.
 *
 * @since 0.1
 */
public final class SpawnException extends ExecutorException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message the problem and the value at fault
     */
    public SpawnException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message the problem and the value at fault
     * @param cause the cause
     */
    public SpawnException(String message, Throwable cause) {
        super(message, cause);
    }
}
