package dev.paddock.harness.workspace.provider;

import java.io.Serial;

/**
 * Reports that a workspace cannot be used.
 *
 * @since 0.1
 */
public abstract sealed class WorkspaceException extends RuntimeException
        permits WorkspaceFailedException, WorkspaceEvictedException {
    @Serial
    private static final long serialVersionUID = 1L;

    WorkspaceException(String message) {
        super(message);
    }

    WorkspaceException(String message, Throwable cause) {
        super(message, cause);
    }
}
