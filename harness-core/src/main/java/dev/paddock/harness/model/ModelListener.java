package dev.paddock.harness.model;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Receives a turn's text as it is streamed.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface ModelListener {

    /**
     * Receives more of the turn's text. Never blocks for long, never throws.
     *
     * @param delta the text since the last call
     */
    void onText(String delta);

    /**
     * Receives more of the model's thoughts, where the provider streams them. They are shown, but neither stored nor
     * sent to the model again. Never blocks for long, never throws.
     *
     * @param delta the thoughts since the last call
     */
    default void onThought(String delta) {}

    /**
     * Reports that the turn failed and is retried: the text and the thoughts received for it so far are void. Never
     * blocks for long, never throws.
     *
     * @param retry why, and what comes next
     */
    default void onRetry(Retry retry) {}

    /** A turn that failed and is retried. */
    final class Retry {
        private final ModelException why;
        private final Duration delay;
        private final int attempt;
        private final int attempts;

        private Retry(ModelException why, Duration delay, int attempt, int attempts) {
            this.why = why;
            this.delay = delay;
            this.attempt = attempt;
            this.attempts = attempts;
        }

        /**
         * Returns a retry.
         *
         * @param why the failure of the turn
         * @param delay how long the adapter waits before it retries
         * @param attempt which attempt comes next, 2 or more
         * @param attempts how many there will be at most if the turn keeps failing in this way
         * @return the retry
         */
        public static Retry of(ModelException why, Duration delay, int attempt, int attempts) {
            return new Retry(why, delay, attempt, attempts);
        }

        /** {@return the failure of the turn} */
        public ModelException why() {
            return why;
        }

        /** {@return how long the adapter waits before it retries} */
        public Duration delay() {
            return delay;
        }

        /** {@return the number of the next attempt, 2 or more} */
        public int attempt() {
            return attempt;
        }

        /** {@return the most attempts that the adapter makes while the turn fails in this way} */
        public int attempts() {
            return attempts;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Retry that && parts().equals(that.parts());
        }

        @Override
        public int hashCode() {
            return parts().hashCode();
        }

        @Override
        public String toString() {
            return "Retry" + parts();
        }

        private List<Object> parts() {
            return List.of(why, delay, attempt, attempts);
        }
    }
}
