package dev.paddock.harness.events;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event with its session, run, number and time, which identify it in a log of several sessions.
 *
 * @since 0.1
 */
public final class EventEnvelope {
    private final String session;
    private final int run;
    private final long sequence;
    private final Instant time;
    private final SessionEvent event;

    private EventEnvelope(String session, int run, long sequence, Instant time, SessionEvent event) {
        this.session = session;
        this.run = run;
        this.sequence = sequence;
        this.time = time;
        this.event = event;
    }

    /**
     * Returns an envelope.
     *
     * @param session the name of the session's directory
     * @param run the number of the latest run that had started, from 1; 0 before the first
     * @param sequence the event's number in the session, from 1
     * @param time when it happened
     * @param event the event
     */
    public static EventEnvelope of(String session, int run, long sequence, Instant time, SessionEvent event) {
        return new EventEnvelope(session, run, sequence, time, event);
    }

    /** {@return an envelope of the given later event with this envelope's sequence number} */
    public EventEnvelope replacedBy(EventEnvelope later) {
        return new EventEnvelope(later.session, later.run, sequence, later.time, later.event);
    }

    /** {@return the name of the session's directory, which no other session of the same parent directory has} */
    public String session() {
        return session;
    }

    /** {@return the number of the latest run that had started, from 1; 0 before the first} */
    public int run() {
        return run;
    }

    /**
     * {@return the event's number in the session, from 1} Each listener receives ascending numbers; a number is missing
     * for each update that a later one of the same call replaced.
     */
    public long sequence() {
        return sequence;
    }

    /** {@return when it happened, by the machine's clock} */
    public Instant time() {
        return time;
    }

    /** {@return the event} */
    public SessionEvent event() {
        return event;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EventEnvelope that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "EventEnvelope" + parts();
    }

    private List<Object> parts() {
        return List.of(session, run, sequence, time, event);
    }
}
