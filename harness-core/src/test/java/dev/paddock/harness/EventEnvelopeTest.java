package dev.paddock.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.harness.events.EventEnvelope;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.events.SessionListener;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Tests what an event's envelope says. */
class EventEnvelopeTest extends SessionTest {
    private final List<EventEnvelope> envelopes = new CopyOnWriteArrayList<>();

    /** A listener that takes envelopes. */
    private final class Log implements SessionListener {
        @Override
        public void onEvent(SessionEvent event) {
            throw new AssertionError("the session passes envelopes, not " + event);
        }

        @Override
        public void onEnvelope(EventEnvelope envelope) {
            envelopes.add(envelope);
        }
    }

    @Test
    void envelopesNameSessionAndRunAndAscend() {
        Instant before = Instant.now();
        AgentSession session =
                open(builder(script("{'text': 'one'}, {'text': 'two'}")).listener(new Log()));
        var unused = session.prompt("first");
        var unusedToo = session.prompt("second");
        session.close();
        assertThat(envelopes).extracting(EventEnvelope::event).containsExactlyElementsOf(events);
        assertThat(envelopes).extracting(EventEnvelope::session).containsOnly("session");
        assertThat(envelopes)
                .extracting(EventEnvelope::sequence)
                .startsWith(1L)
                .doesNotHaveDuplicates()
                .isSorted();
        assertThat(envelopes).extracting(EventEnvelope::time).allMatch(time -> !time.isBefore(before));
        assertThat(envelopes)
                .filteredOn(envelope -> envelope.event() instanceof SessionEvent.RunStarted
                        || envelope.event() instanceof SessionEvent.RunEnded)
                .extracting(EventEnvelope::run)
                .containsExactly(1, 1, 2, 2);
        assertThat(envelopes.get(0)).returns(0, EventEnvelope::run);
    }

    @Test
    void updateTakesPlaceOfOneThatItReplaces() {
        SessionEvent event = new SessionEvent.SessionEnded();
        EventEnvelope waiting = EventEnvelope.of("s", 1, 3, Instant.EPOCH, new SessionEvent.RunStarted("x"));
        Instant later = Instant.EPOCH.plusSeconds(1);
        assertThat(waiting.replacedBy(EventEnvelope.of("s", 1, 9, later, event)))
                .isEqualTo(EventEnvelope.of("s", 1, 3, later, event));
    }
}
