package dev.paddock.harness.events;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended, and its result. Immutable; outcomes with equal components are equal. Created by
 * {@link #builder}.
 *
 * @since 0.1
 */
public final class RunOutcome {
    private final End end;
    private final String text;
    private final int turns;
    private final Optional<RuntimeException> failure;

    /** How a run ends. Later releases may add values: a {@code switch} needs a {@code default}. */
    public enum End {
        /** The assistant had nothing more to do. */
        COMPLETED,
        /**
         * The run was aborted, by {@code AgentSession.abort()}, by closing the session, or by
         * interrupting the thread.
         */
        ABORTED,
        /** The run reached its maximum number of turns before the assistant was done. */
        MAX_TURNS,
        /** The model failed, or the executor or the workspace cannot be used. */
        FAILED
    }

    private RunOutcome(Builder builder) {
        end = builder.end;
        text = builder.text;
        turns = builder.turns;
        failure = builder.failure;
        if (failure.isPresent() != (end == End.FAILED)) {
            throw new IllegalArgumentException("a run that ended as " + end + (failure.isPresent() ? " has" : " lacks")
                    + " a failure; a run has one exactly if it ended as " + End.FAILED);
        }
    }

    /**
     * Returns a builder with no text and no turns.
     *
     * @param end how the run ended
     */
    public static Builder builder(End end) {
        return new Builder(end);
    }

    /** {@return how the run ended} */
    public End end() {
        return end;
    }

    /** {@return the assistant's last text; empty if it said nothing} */
    public String text() {
        return text;
    }

    /** {@return how many turns the model took, 0 or more} */
    public int turns() {
        return turns;
    }

    /** {@return why the run failed; present exactly if the run ended as {@link End#FAILED}} */
    public Optional<RuntimeException> failure() {
        return failure;
    }

    /** {@return whether the run ended as {@link End#COMPLETED}} */
    public boolean completed() {
        return end == End.COMPLETED;
    }

    /**
     * Returns this outcome if the run {@linkplain #completed() completed}.
     *
     * @throws RunIncompleteException if it did not; its cause is the {@link #failure()}, if any
     */
    public RunOutcome orThrow() {
        if (!completed()) {
            throw new RunIncompleteException(this);
        }
        return this;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RunOutcome outcome && parts().equals(outcome.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "RunOutcome" + parts();
    }

    private List<Object> parts() {
        return List.of(end, text, turns, failure);
    }

    /** Collects an outcome. Not safe for use by several threads. */
    public static final class Builder {
        private final End end;
        private String text = "";
        private int turns;
        private Optional<RuntimeException> failure = Optional.empty();

        private Builder(End end) {
            this.end = end;
        }

        /** Sets the assistant's last text. */
        public Builder text(String value) {
            text = value;
            return this;
        }

        /** Sets how many turns the model took. */
        public Builder turns(int value) {
            turns = value;
            return this;
        }

        /** Sets why the run failed. */
        public Builder failure(RuntimeException value) {
            failure = Optional.of(value);
            return this;
        }

        /**
         * Builds the outcome.
         *
         * @throws IllegalArgumentException if a failed run has no failure, or another run has one
         */
        public RunOutcome build() {
            return new RunOutcome(this);
        }
    }
}
