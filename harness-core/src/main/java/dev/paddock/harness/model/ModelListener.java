package dev.paddock.harness.model;

import java.time.Duration;

/** Receives a turn's text as it is streamed. */
@FunctionalInterface
public interface ModelListener {

    /**
     * Receives more of the turn's text. Never blocks for long, never throws.
     *
     * @param delta the text since the last call
     */
    void onText(String delta);

    /**
     * Reports that the turn failed and is retried: the text received for it so far is void. Never
     * blocks for long, never throws.
     *
     * @param why the failure of the turn
     * @param wait how long the adapter waits before it retries
     */
    default void onRetry(ModelException why, Duration wait) {}
}
