package dev.paddock.harness;

/** Is given a turn as it comes in. */
@FunctionalInterface
public interface ModelListener {

    /**
     * More of the turn's text. Never blocks for long, never throws.
     *
     * @param delta what has come in since the last call
     */
    void onText(String delta);
}
