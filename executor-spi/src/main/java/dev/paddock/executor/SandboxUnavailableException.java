package dev.paddock.executor;

import java.io.Serial;

/**
 * Reports that a sandbox is not available here and now. Nothing has run, and the executor does not
 * run the command elsewhere instead (C14).
 *
 * @since 0.1
 */
public final class SandboxUnavailableException extends ExecutorException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String backend;
    private final String reason;
    private final String remedy;
    private final Availability.Outlook outlook;

    /**
     * Creates an exception.
     *
     * @param backend the backend's {@linkplain CommandExecutor#name() name}
     * @param unusable the reason and the remedy
     */
    public SandboxUnavailableException(String backend, Availability.Unusable unusable) {
        super(backend + " is not available: " + unusable.reason() + ". " + unusable.remedy());
        this.backend = backend;
        this.reason = unusable.reason();
        this.remedy = unusable.remedy();
        this.outlook = unusable.outlook();
    }

    /**
     * Returns the backend that is not available.
     *
     * @return its {@linkplain CommandExecutor#name() name}
     */
    public String backend() {
        return backend;
    }

    /**
     * Returns the reason.
     *
     * @return a phrase without a final full stop
     */
    public String reason() {
        return reason;
    }

    /**
     * Returns the remedy.
     *
     * @return a sentence
     */
    public String remedy() {
        return remedy;
    }

    /**
     * Returns whether a later attempt can succeed without any intervention: true for an engine that
     * is being restarted, false for a program that is not installed.
     *
     * @return true if it is worth trying again
     */
    public boolean isTransient() {
        return outlook != Availability.Outlook.PERMANENT;
    }

    /**
     * Returns the answer of a probe that finds the same.
     *
     * @return the reason and the remedy
     */
    public Availability.Unusable unusable() {
        return new Availability.Unusable(reason, remedy, outlook);
    }
}
