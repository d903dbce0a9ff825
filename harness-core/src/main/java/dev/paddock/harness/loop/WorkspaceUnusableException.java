package dev.paddock.harness.loop;

import java.io.Serial;

/** Reports that a session's workspace could not be opened or reopened, so that no tool can work. */
public final class WorkspaceUnusableException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient RuntimeException failure;

    /** Creates an exception with the message of the workspace source's failure. */
    public WorkspaceUnusableException(RuntimeException failure) {
        super(failure.getMessage(), failure);
        this.failure = failure;
    }

    /** Returns the failure, which the run's outcome names. */
    public RuntimeException failure() {
        return failure;
    }
}
