package dev.paddock.executor;

import java.io.Serial;

/**
 * A sandbox cannot be had here and now. Nothing has run, and nothing runs elsewhere instead (C14).
 */
public final class SandboxUnavailableException extends ExecutorException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String backend;
    private final String reason;
    private final String remedy;
    private final boolean isTransient;

    /**
     * Makes an exception.
     *
     * @param backend the backend's {@linkplain CommandExecutor#name() name}
     * @param unusable why it cannot be had, and what helps
     */
    public SandboxUnavailableException(String backend, Availability.Unusable unusable) {
        super(backend + " is not available: " + unusable.reason() + ". " + unusable.remedy());
        this.backend = backend;
        this.reason = unusable.reason();
        this.remedy = unusable.remedy();
        this.isTransient = unusable.isTransient();
    }

    /**
     * The backend that cannot be had.
     *
     * @return its {@linkplain CommandExecutor#name() name}
     */
    public String backend() {
        return backend;
    }

    /**
     * Why it cannot be had.
     *
     * @return a phrase without a final full stop
     */
    public String reason() {
        return reason;
    }

    /**
     * What helps.
     *
     * @return a sentence
     */
    public String remedy() {
        return remedy;
    }

    /**
     * Whether trying again later can help without anybody doing anything: an engine that is being restarted, but not a
     * program that is not installed.
     *
     * @return true if it is worth trying again
     */
    public boolean isTransient() {
        return isTransient;
    }
}
