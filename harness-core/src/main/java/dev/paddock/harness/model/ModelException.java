package dev.paddock.harness.model;

import java.io.Serial;
import java.time.Duration;
import java.util.Optional;

/**
 * Reports that a model could not complete its turn. The message states what happened, the value at
 * fault and the remedy, for people; it never contains a key.
 *
 * @since 0.1
 */
public final class ModelException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Why the model could not complete its turn. */
    public enum Kind {
        /** The key is missing, or the provider does not accept it. */
        AUTHENTICATION,
        /** The provider account has no credit left. */
        OUT_OF_CREDIT,
        /** The request exceeds the provider's limit of requests or tokens per period. */
        RATE_LIMITED,
        /** The provider is overloaded, or fails. */
        OVERLOADED,
        /** The conversation exceeds the model's context window. */
        CONTEXT_TOO_LONG,
        /** The answer reached the output token limit and is incomplete. */
        CUT_OFF,
        /** The provider refused the request, or the model refused to answer. */
        REFUSED,
        /** The provider has no such model, or there is no provider at this address. */
        NOT_FOUND,
        /** The connection could not be established. */
        UNREACHABLE,
        /** The answer ended prematurely, or is malformed. */
        BROKEN_STREAM,
        /** The provider sent nothing for too long. */
        TIMED_OUT
    }

    private final Kind kind;
    /** Zero means none; an Optional is not serializable. */
    private final Duration retryAfter;

    /**
     * Creates an exception.
     *
     * @param kind why the model could not complete its turn
     * @param message what happened, the value at fault, what to do
     */
    public ModelException(Kind kind, String message) {
        this(kind, message, Optional.empty());
    }

    /**
     * Creates an exception.
     *
     * @param kind why the model could not complete its turn
     * @param message what happened, the value at fault, what to do
     * @param retryAfter how long the provider asks the client to wait before it retries, if it says
     *     so; more than zero
     */
    public ModelException(Kind kind, String message, Optional<Duration> retryAfter) {
        super(message);
        this.kind = kind;
        this.retryAfter = retryAfter.orElse(Duration.ZERO);
    }

    /** {@return why the model could not complete its turn} */
    public Kind kind() {
        return kind;
    }

    /**
     * {@return how long the provider asks the client to wait before it retries, more than zero; empty if it does not
     * say}
     */
    public Optional<Duration> retryAfter() {
        return retryAfter.isZero() ? Optional.empty() : Optional.of(retryAfter);
    }
}
