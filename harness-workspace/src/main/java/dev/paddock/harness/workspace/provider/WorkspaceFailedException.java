package dev.paddock.harness.workspace.provider;

import java.io.Serial;

/**
 * Reports that a workspace could not be opened, resolved, suspended, closed or copied.
 *
 * @since 0.1
 */
public final class WorkspaceFailedException extends WorkspaceException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final boolean isTransient;

    /**
     * Creates an exception for a permanent failure, which needs intervention.
     *
     * @param message what happened, and the remedy
     */
    public WorkspaceFailedException(String message) {
        super(message);
        isTransient = false;
    }

    /**
     * Creates an exception.
     *
     * @param message what happened, and the remedy
     * @param isTransient whether a later attempt can succeed without any intervention
     * @param cause the cause
     */
    public WorkspaceFailedException(String message, boolean isTransient, Throwable cause) {
        super(message, cause);
        this.isTransient = isTransient;
    }

    /**
     * Creates an exception for a transient failure.
     *
     * @param message what happened, and the remedy
     * @return the exception
     */
    public static WorkspaceFailedException passing(String message) {
        return new WorkspaceFailedException(message, true, new IllegalStateException(message));
    }

    /**
     * {@return whether a later attempt can succeed without any intervention: true for an engine that is being
     * restarted, false for a program that is not installed}
     */
    public boolean isTransient() {
        return isTransient;
    }
}
