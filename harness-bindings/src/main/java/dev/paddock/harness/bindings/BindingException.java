package dev.paddock.harness.bindings;

import java.io.Serial;

/**
 * Reports a call of a binding that a rule refuses, or that is malformed. The message names the value
 * at fault and the remedy, is addressed to the caller, and shows no host path and no secret.
 *
 * @since 0.1
 */
public final class BindingException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** States why a call failed. */
    public enum Reason {
        /** An argument is missing or malformed. */
        INVALID,
        /** A rule of the container refuses the call. */
        DENIED,
        /** There is no binding or operation of that name. */
        UNKNOWN,
        /** The operation failed. */
        FAILED
    }

    /**
     * Creates an exception.
     *
     * @param reason why the call failed
     * @param message what happened, the value at fault, the remedy
     */
    public BindingException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** {@return why the call failed} */
    public Reason reason() {
        return reason;
    }
}
