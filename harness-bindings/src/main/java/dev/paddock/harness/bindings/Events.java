package dev.paddock.harness.bindings;

import dev.paddock.harness.audit.AuditRecord;
import dev.paddock.harness.audit.AuditSink;
import dev.paddock.harness.audit.Redaction;
import java.time.Clock;
import java.util.Locale;
import java.util.Optional;

/**
 * Writes events to the audit trail. Redacts every text, including the container's secrets. Sets the origin itself: a
 * guest's event cannot pass for one of the host.
 */
final class Events {
    /** The event name of audit records of binding events. */
    static final String BINDING = "binding";

    private final Optional<AuditSink> sink;
    private final Redaction redaction;
    private final Clock clock;

    /**
     * Creates the events of a container.
     *
     * @param redaction removes the container's secrets from every text
     */
    Events(Optional<AuditSink> sink, Clock clock, Redaction redaction) {
        this.sink = sink;
        this.clock = clock;
        this.redaction = redaction;
    }

    void host(BindingEvent event) {
        append("host", event);
    }

    void guest(BindingEvent event) {
        append("guest", event);
    }

    private void append(String origin, BindingEvent event) {
        sink.ifPresent(to -> {
            AuditRecord.Builder record = AuditRecord.builder(BINDING, AuditRecord.newId(), clock.instant())
                    .field("origin", origin)
                    .field("scope", event.scope().name().toLowerCase(Locale.ROOT))
                    .field("action", redaction.apply(event.action()))
                    .field("outcome", event.outcome().name().toLowerCase(Locale.ROOT));
            event.target().ifPresent(text -> record.field("target", redaction.apply(text)));
            event.detail().ifPresent(text -> record.field("detail", redaction.apply(text)));
            to.append(record.build());
        });
    }
}
