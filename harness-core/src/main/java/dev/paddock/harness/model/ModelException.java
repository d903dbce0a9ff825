package dev.paddock.harness.model;

import java.io.Serial;
import java.time.Duration;
import java.util.Optional;

/**
 * A model that could not take its turn. The message says what happened, the value at fault and the remedy, for people; it never
 * contains a key.
 */
public final class ModelException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** What kept the model from its turn. */
    public enum Kind {
        /** No key, or one that the provider does not accept. */
        AUTHENTICATION,
        /** The provider wants to be paid first. */
        OUT_OF_CREDIT,
        /** More requests or tokens than the provider grants in a while. */
        RATE_LIMITED,
        /** The provider has too much to do, or is failing. */
        OVERLOADED,
        /** The conversation is longer than the model can take. */
        CONTEXT_TOO_LONG,
        /** The answer reached the most that it may have, and is not whole. */
        CUT_OFF,
        /** The provider refuses the request, or the model the answer. */
        REFUSED,
        /** The provider has no such model, or there is no provider at this address. */
        NOT_FOUND,
        /** No connection came about. */
        UNREACHABLE,
        /** The answer ended in the midst, or makes no sense. */
        BROKEN_STREAM,
        /** Nothing was heard for too long. */
        TIMED_OUT
    }

    private final Kind kind;
    /** Not an Optional, which cannot be serialised; zero stands for none. */
    private final Duration retryAfter;

    /**
     * Makes an exception.
     *
     * @param kind what kept the model from its turn
     * @param message what happened, the value at fault, what to do
     */
    public ModelException(Kind kind, String message) {
        this(kind, message, Optional.empty());
    }

    /**
     * Makes an exception.
     *
     * @param kind what kept the model from its turn
     * @param message what happened, the value at fault, what to do
     * @param retryAfter after how long the provider wants to be asked again, if it says; more than zero
     */
    public ModelException(Kind kind, String message, Optional<Duration> retryAfter) {
        super(message);
        this.kind = kind;
        this.retryAfter = retryAfter.orElse(Duration.ZERO);
    }

    /**
     * What kept the model from its turn.
     *
     * @return the kind
     */
    public Kind kind() {
        return kind;
    }

    /**
     * After how long the provider wants to be asked again.
     *
     * @return more than zero; empty if the provider does not say
     */
    public Optional<Duration> retryAfter() {
        return retryAfter.isZero() ? Optional.empty() : Optional.of(retryAfter);
    }
}
