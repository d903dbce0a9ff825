package dev.paddock.harness.model;

import java.time.Duration;

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
     * Receives more of what the model thinks before it answers, where the provider streams that. It is shown, and
     * neither stored nor sent to the model again. Never blocks for long, never throws.
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

    /**
     * A turn that failed and is retried.
     *
     * @param why the failure of the turn
     * @param delay how long the adapter waits before it retries
     * @param attempt which attempt comes next, 2 or more
     * @param attempts how many there will be at most if the turn keeps failing in this way
     */
    record Retry(ModelException why, Duration delay, int attempt, int attempts) {}
}
