package dev.paddock.harness.events;

import java.time.Instant;

/**
 * An event with its session, run, number and time, which identify it in a log of several sessions.
 *
 * @param session the name of the session's directory, which no other session of the same parent
 *     directory has
 * @param run the number of the latest run that had started, from 1; 0 before the first
 * @param sequence the event's number in the session, from 1. Each listener receives ascending numbers;
 *     one is missing for each update that a later one of its call has replaced
 * @param time when it happened, by the machine's clock
 * @param event the event
 * @since 0.1
 */
public record EventEnvelope(String session, int run, long sequence, Instant time, SessionEvent event) {

    /**
     * Returns an envelope of the later event that keeps this envelope's sequence number.
     *
     * @param later the envelope of the later event
     * @return the new envelope
     */
    public EventEnvelope replacedBy(EventEnvelope later) {
        return new EventEnvelope(later.session, later.run, sequence, later.time, later.event);
    }
}
