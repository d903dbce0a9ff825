package dev.paddock.harness.tools;

import java.io.Serial;

/**
 * Reports a tool call that cannot be carried out. The model receives its message.
 *
 * @since 0.1
 */
public class ToolException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what happened, the offending value, what to do
     */
    public ToolException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message what happened, the offending value, what to do
     * @param cause the failure that led to it
     */
    public ToolException(String message, Throwable cause) {
        super(message, cause);
    }
}
