package dev.paddock.harness.tools;

import dev.paddock.executor.AbortSignal;

/** What a session lends to one tool call. Valid until the call returns. */
public interface ToolContext {

    /**
     * Aborted when the result is no longer wanted.
     *
     * @return the signal
     */
    AbortSignal signal();

    /**
     * Shows what there is so far. Updates are throttled, so that some are dropped; they come in order, and none is
     * delivered after the call has returned. Never blocks, never throws.
     *
     * @param textSoFar the cumulative text, which replaces that of earlier updates
     */
    void update(String textSoFar);
}
