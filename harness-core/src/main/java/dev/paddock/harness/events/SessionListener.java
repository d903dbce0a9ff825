package dev.paddock.harness.events;

/**
 * Is told what happens in a session. Each listener gets the events one at a time, in order, on a thread that is the session's
 * and does none of its work: one that takes its time, or throws, delays and harms nothing but itself.
 */
@FunctionalInterface
public interface SessionListener {

    /**
     * Something happened.
     *
     * @param event what
     */
    void onEvent(SessionEvent event);
}
