package dev.paddock.harness.model;

import java.time.Duration;

/** Is given a turn as it comes in. */
@FunctionalInterface
public interface ModelListener {

    /**
     * More of the turn's text. Never blocks for long, never throws.
     *
     * @param delta what has come in since the last call
     */
    void onText(String delta);

    /**
     * The turn could not be taken and is begun again: what was said of it so far is void. Never blocks for long, never throws.
     *
     * @param why what kept the model from its turn
     * @param wait how long it waits before it begins again
     */
    default void onRetry(ModelException why, Duration wait) {}
}
