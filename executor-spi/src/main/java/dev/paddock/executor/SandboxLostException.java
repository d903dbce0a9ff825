package dev.paddock.executor;

import java.io.Serial;

/**
 * Reports that the executor lost the sandbox in which a command ran: its container was removed,
 * stopped or paused, or the connection to the engine was lost (C15). The command's processes may
 * run on until the sandbox is reachable again; the executor ends them before it starts a new
 * command.
 *
 * @since 0.1
 */
public final class SandboxLostException extends ExecutorException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String backend;

    /**
     * Creates an exception.
     *
     * @param backend the backend's {@linkplain CommandExecutor#name() name}
     * @param reason what was lost and how the executor detected it
     */
    public SandboxLostException(String backend, String reason) {
        super(backend + ": the sandbox was lost: " + reason);
        this.backend = backend;
    }

    /**
     * Creates an exception with a cause.
     *
     * @param backend the backend's {@linkplain CommandExecutor#name() name}
     * @param reason what was lost and how the executor detected it
     * @param cause the cause
     */
    public SandboxLostException(String backend, String reason, Throwable cause) {
        super(backend + ": the sandbox was lost: " + reason, cause);
        this.backend = backend;
    }

    /**
     * Returns the backend that lost its sandbox.
     *
     * @return its {@linkplain CommandExecutor#name() name}
     */
    public String backend() {
        return backend;
    }
}
