package dev.paddock.executor;

import java.io.Serial;

/**
 * A command could not be run, or control over it was lost. A command that runs and fails is no exception but an
 * {@link ExitStatus}.
 *
 * <p>Every message names what happened, the value at fault, and where there is one the remedy.
 */
public class ExecutorException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception.
     *
     * @param message what happened, the value at fault, the remedy
     */
    public ExecutorException(String message) {
        super(message);
    }

    /**
     * Makes an exception with a cause.
     *
     * @param message what happened, the value at fault, the remedy
     * @param cause what led to it
     */
    public ExecutorException(String message, Throwable cause) {
        super(message, cause);
    }
}
