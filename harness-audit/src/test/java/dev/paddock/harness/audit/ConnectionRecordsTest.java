package dev.paddock.harness.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.ForwardingExecutor;
import dev.paddock.executor.HostConnection;
import dev.paddock.executor.ProcessLike;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests the records of connections that an executor reports. */
class ConnectionRecordsTest {
    private static final Instant BEGAN = Instant.parse("2026-03-04T05:06:07.123456Z");

    private final Recorded sink = new Recorded();
    private final Reporting backend = new Reporting();

    /** Reports the connections that the test makes up. */
    private static final class Reporting extends ForwardingExecutor {
        private final List<Consumer<HostConnection>> observers = new CopyOnWriteArrayList<>();

        Reporting() {
            super((command, options) -> ProcessLike.start(new ProcessBuilder("sh", "-c", "--", command), options));
        }

        Reporting with(Consumer<HostConnection> observer) {
            observers.add(observer);
            return this;
        }

        void report(HostConnection connection) {
            observers.forEach(observer -> observer.accept(connection));
        }
    }

    private static HostConnection allowed(String host) {
        return HostConnection.builder(host)
                .port(443)
                .bytes(5, 7)
                .began(BEGAN)
                .lasted(Duration.ofMillis(12))
                .build();
    }

    private static HostConnection denied(String host) {
        return HostConnection.builder(host)
                .allowed(false)
                .reason("not allowed")
                .began(BEGAN)
                .build();
    }

    @Test
    void recordsWherePublishedPortWasReached() {
        try (AuditedExecutor executor =
                AuditedExecutor.builder(backend::with, sink).build()) {
            backend.report(HostConnection.builder("localhost")
                    .port(3000)
                    .bytes(5, 7)
                    .began(BEGAN)
                    .lasted(Duration.ofMillis(12))
                    .publishedAt(8080)
                    .build());
            assertThat(executor.unrecorded()).isZero();
        }
        assertThat(sink.records)
                .singleElement()
                .satisfies(record -> assertThat(record.fields())
                        .containsEntry("host", "localhost")
                        .containsEntry("port", 3000L)
                        .containsEntry("published_at", 8080L));
    }

    @Test
    void recordsAllowedAndDeniedConnectionsWithSession() {
        try (AuditedExecutor executor =
                AuditedExecutor.builder(backend::with, sink).session("s-1").build()) {
            backend.report(allowed("api.example.org"));
            backend.report(denied("ghp_0123456789abcdefghijABCDEFGHIJ012345.example.net"));
            assertThat(executor.unrecorded()).isZero();
        }
        assertThat(sink.records)
                .hasSize(2)
                .allSatisfy(record -> assertThat(record.session()).contains("s-1"))
                .allSatisfy(record -> assertThat(record.event()).isEqualTo(AuditRecord.CONNECTION));
        assertThat(sink.records.get(0).fields())
                .containsEntry("executor", "custom")
                .containsEntry("host", "api.example.org")
                .containsEntry("port", 443L)
                .containsEntry("allowed", true)
                .containsEntry("started", AuditRecord.format(BEGAN))
                .containsEntry("duration_ms", 12L)
                .containsEntry("sent_bytes", 5L)
                .containsEntry("received_bytes", 7L)
                .containsKeys("user", "jvm_pid")
                .doesNotContainKey("reason");
        assertThat(sink.records.get(1).fields())
                .containsEntry("host", "[REDACTED].example.net")
                .containsEntry("allowed", false)
                .containsEntry("reason", "not allowed")
                .doesNotContainKey("port");
    }

    @Test
    void connectionIsRecordedByExecutorThatBackendWasCreatedWith() {
        Recorded other = new Recorded();
        AuditedExecutor inner =
                AuditedExecutor.builder(backend::with, sink).session("inner").build();
        AuditedExecutor outer =
                AuditedExecutor.builder(inner, other).session("outer").build();
        backend.report(allowed("api.example.org"));
        outer.dispose();
        assertThat(sink.records)
                .singleElement()
                .satisfies(record -> assertThat(record.session()).contains("inner"));
        assertThat(other.records).isEmpty();
    }

    @Test
    void connectionDuringCreationIsRecordedOnceExecutorExists() {
        AuditedExecutor executor = AuditedExecutor.builder(
                        observer -> {
                            observer.accept(denied("early.example.net"));
                            return backend.with(observer);
                        },
                        sink)
                .build();
        backend.report(allowed("api.example.org"));
        executor.dispose();
        assertThat(sink.records)
                .extracting(record -> record.text("host").orElse(""))
                .containsExactly("early.example.net", "api.example.org");
    }

    @Test
    void connectionsBeyondMostOfMinuteAreSummedUp() {
        int more = 3;
        AuditedExecutor executor = AuditedExecutor.builder(backend::with, sink).build();
        for (int count = 0; count < ConnectionRecords.MAX_PER_MINUTE + more; count++) {
            backend.report(denied("flood" + count + ".example.net"));
        }
        backend.report(allowed("api.example.org"));
        executor.dispose();
        assertThat(sink.records).hasSize(ConnectionRecords.MAX_PER_MINUTE + 2);
        assertThat(sink.records)
                .as("denied connections leave the allowed ones their records")
                .anySatisfy(record -> assertThat(record.text("host")).contains("api.example.org"));
        assertThat(sink.records)
                .filteredOn(record -> record.event().equals(AuditRecord.CONNECTIONS_OMITTED))
                .singleElement()
                .satisfies(record -> assertThat(record.fields())
                        .containsEntry("allowed", false)
                        .containsEntry("connections", (long) more)
                        .containsEntry(
                                "hosts",
                                List.of("flood600.example.net", "flood601.example.net", "flood602.example.net")));
    }
}
