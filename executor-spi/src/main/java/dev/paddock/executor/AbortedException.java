package dev.paddock.executor;

import java.io.Serial;

/**
 * Reports that the signal was aborted before the command was started. Nothing has run.
 *
 * @since 0.1
 */
public final class AbortedException extends ExecutorException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param reason the signal's reason
     */
    public AbortedException(String reason) {
        super("aborted before the command was started: " + reason);
    }
}
