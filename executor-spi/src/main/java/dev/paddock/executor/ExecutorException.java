package dev.paddock.executor;

import java.io.Serial;

/**
 * Reports that a command could not be run, or that the executor lost control over it. A command
 * that runs and fails is reported as an {@link ExitStatus}, not as an exception.
 *
 * <p>Every message says what happened, names the value at fault and, if there is one, the remedy.
 *
 * @since 0.1
 */
public class ExecutorException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what happened, the value at fault, the remedy
     */
    public ExecutorException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message what happened, the value at fault, the remedy
     * @param cause the cause
     */
    public ExecutorException(String message, Throwable cause) {
        super(message, cause);
    }
}
