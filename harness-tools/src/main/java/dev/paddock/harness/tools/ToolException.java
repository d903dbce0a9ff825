package dev.paddock.harness.tools;

import java.io.Serial;

/** A tool call that cannot be carried out. Its message is what the model reads. */
public class ToolException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Makes an exception.
     *
     * @param message what happened, the value at fault, what to do
     */
    public ToolException(String message) {
        super(message);
    }

    /**
     * Makes an exception with a cause.
     *
     * @param message what happened, the value at fault, what to do
     * @param cause what led to it
     */
    public ToolException(String message, Throwable cause) {
        super(message, cause);
    }
}
