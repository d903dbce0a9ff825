package dev.paddock.harness.tools;

import dev.paddock.executor.AbortSignal;

/**
 * Provides the session's services to one tool call. Valid until the call returns.
 *
 * @since 0.1
 */
public interface ToolContext {

    /** {@return the signal that is aborted when the result is no longer wanted} */
    AbortSignal signal();

    /**
     * Publishes the output so far. Updates are throttled, so some are dropped; they are delivered
     * in order, and none is delivered after the call has returned. Never blocks, never throws.
     *
     * @param textSoFar the cumulative text, which replaces that of earlier updates
     */
    void update(String textSoFar);
}
