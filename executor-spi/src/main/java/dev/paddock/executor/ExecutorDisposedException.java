package dev.paddock.executor;

import java.io.Serial;

/**
 * Reports that the executor has been disposed of and does not start commands any more.
 *
 * @since 0.1
 */
public final class ExecutorDisposedException extends ExecutorException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param executor the executor's {@linkplain CommandExecutor#name() name}
     */
    public ExecutorDisposedException(String executor) {
        super("the " + executor + " executor has been disposed of; create a new one to run commands");
    }
}
