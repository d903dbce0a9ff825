package dev.paddock.executor;

import java.io.Serial;

/**
 * The place where a command ran has gone away: its container was removed, stopped or paused, or the connection to the
 * engine was lost (C15). What ran there may run on until the place answers again; it is ended before a new command starts.
 */
public final class SandboxLostException extends ExecutorException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String backend;

    /**
     * Makes an exception.
     *
     * @param backend the backend's {@linkplain CommandExecutor#name() name}
     * @param reason what was lost and how that was noticed
     */
    public SandboxLostException(String backend, String reason) {
        super(backend + ": the sandbox was lost: " + reason);
        this.backend = backend;
    }

    /**
     * Makes an exception with a cause.
     *
     * @param backend the backend's {@linkplain CommandExecutor#name() name}
     * @param reason what was lost and how that was noticed
     * @param cause what led to it
     */
    public SandboxLostException(String backend, String reason, Throwable cause) {
        super(backend + ": the sandbox was lost: " + reason, cause);
        this.backend = backend;
    }

    /**
     * The backend that lost its sandbox.
     *
     * @return its {@linkplain CommandExecutor#name() name}
     */
    public String backend() {
        return backend;
    }
}
