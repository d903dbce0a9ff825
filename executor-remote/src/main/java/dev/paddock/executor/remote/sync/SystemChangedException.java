package dev.paddock.executor.remote.sync;

import dev.paddock.executor.ExecutorException;

/**
 * Reports that a remote directory is not the one that was synchronized: the remote system was restarted, or the
 * directory was removed. Files missing there say nothing about the host's.
 */
public final class SystemChangedException extends ExecutorException {
    private static final long serialVersionUID = 1L;

    SystemChangedException(String message, Throwable cause) {
        super(message, cause);
    }
}
