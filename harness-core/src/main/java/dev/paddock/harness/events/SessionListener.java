package dev.paddock.harness.events;

/**
 * Receives a session's events, one at a time, in order, on a worker thread that does none of the session's work: a
 * listener that is slow, or throws, affects only its own delivery.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface SessionListener {

    /** Handles an event. */
    void onEvent(SessionEvent event);

    /**
     * Handles an event with its session, run, number and time. A session calls only this method; by default it passes
     * the event to {@link #onEvent}.
     *
     * @param envelope the event in its envelope
     */
    default void onEnvelope(EventEnvelope envelope) {
        onEvent(envelope.event());
    }
}
