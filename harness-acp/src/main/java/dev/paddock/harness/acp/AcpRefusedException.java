package dev.paddock.harness.acp;

/**
 * A request of the editor that cannot be granted; its message is for the editor's user.
 *
 * @since 0.1
 */
public final class AcpRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Why the request is refused. */
    public enum Reason {
        /** The request asks for something that is malformed, not allowed, or not offered. */
        INVALID,
        /** There is no session of that name. */
        NOT_FOUND,
        /**
         * The request is valid but failed, for example because the sandbox or the model is not
         * available.
         */
        FAILED
    }

    private final Reason reason;

    /**
     * Creates the exception.
     *
     * @param reason why the request is refused
     * @param message what happened, the value at fault, and what to do
     */
    public AcpRefusedException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /**
     * Returns why the request is refused.
     *
     * @return the reason
     */
    public Reason reason() {
        return reason;
    }
}
