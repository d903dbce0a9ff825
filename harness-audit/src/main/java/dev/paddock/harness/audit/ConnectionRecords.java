package dev.paddock.harness.audit;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.HostConnection;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Creates the records of an executor's connections. Commands determine their number: one record summarizes those beyond
 * a limit per minute, of allowed and denied ones each, so that they cannot displace the records of commands.
 */
final class ConnectionRecords implements Consumer<HostConnection> {
    /** The maximum number of single records per minute, of allowed and denied connections each. */
    static final int MAX_PER_MINUTE = 600;

    private static final int MAX_HOSTS = 100;

    private final Redaction redaction;
    private final Optional<String> session;
    private final Clock clock;
    private final String user = System.getProperty("user.name", "");
    private final long jvm = ProcessHandle.current().pid();
    private final CompletableFuture<Recording> recording = new CompletableFuture<>();
    private final Minute allowed = new Minute(true);
    private final Minute denied = new Minute(false);

    /**
     * Where the records go; known once the executor has been created with this observer.
     *
     * @param executor the executor whose connections are recorded
     * @param recorder creates and hands over a record on a thread that may block
     */
    record Recording(CommandExecutor executor, Consumer<Supplier<AuditRecord>> recorder) {}

    ConnectionRecords(AuditedExecutor.Builder options) {
        redaction = options.redaction;
        session = options.session;
        clock = options.clock;
    }

    /** Begins to hand over records, including those of earlier connections. */
    void begin(Recording begun) {
        recording.complete(begun);
    }

    @Override
    public void accept(HostConnection connection) {
        (connection.allowed() ? allowed : denied).add(connection);
    }

    private void handOver(Supplier<AuditRecord> record) {
        var unused = recording.thenAccept(begun -> begun.recorder().accept(record));
    }

    /** Hands over the totals of the current minute. */
    void flush() {
        allowed.flush();
        denied.flush();
    }

    private AuditRecord record(HostConnection connection) {
        AuditRecord.Builder record = begin(AuditRecord.CONNECTION).field("host", redacted(connection.host()));
        connection.port().ifPresent(port -> record.field("port", port));
        connection.publishedAt().ifPresent(port -> record.field("published_at", port));
        record.field("allowed", connection.allowed());
        connection.reason().ifPresent(reason -> record.field("reason", redacted(reason)));
        return record.field("started", AuditRecord.format(connection.began()))
                .field("duration_ms", connection.lasted().toMillis())
                .field("sent_bytes", connection.sentBytes())
                .field("received_bytes", connection.receivedBytes())
                .build();
    }

    private AuditRecord.Builder begin(String event) {
        AuditRecord.Builder record = AuditRecord.builder(event, AuditRecord.newId(), clock.instant());
        session.map(this::redacted).ifPresent(record::session);
        return record.field("executor", recording.join().executor().name())
                .field("user", user)
                .field("jvm_pid", jvm);
    }

    private String redacted(String text) {
        return redaction.apply(text, List.of());
    }

    /** Counts the connections of a minute. */
    private final class Minute {
        private static final long LENGTH_NANOS = 60_000_000_000L;

        private final boolean isAllowed;
        private final Set<String> hosts = new LinkedHashSet<>();
        private long began = System.nanoTime();
        private int recorded;
        private long omitted;
        private long sent;
        private long received;

        Minute(boolean isAllowed) {
            this.isAllowed = isAllowed;
        }

        synchronized void add(HostConnection connection) {
            if (System.nanoTime() - began > LENGTH_NANOS) {
                flush();
                began = System.nanoTime();
                recorded = 0;
            }
            if (recorded < MAX_PER_MINUTE) {
                recorded++;
                handOver(() -> record(connection));
                return;
            }
            omitted++;
            sent += connection.sentBytes();
            received += connection.receivedBytes();
            if (hosts.size() < MAX_HOSTS) {
                hosts.add(connection.host());
            }
        }

        synchronized void flush() {
            if (omitted == 0) {
                return;
            }
            long connections = omitted;
            long sentBytes = sent;
            long receivedBytes = received;
            List<String> names =
                    hosts.stream().map(ConnectionRecords.this::redacted).toList();
            long millis = Duration.ofNanos(System.nanoTime() - began).toMillis();
            handOver(() -> begin(AuditRecord.CONNECTIONS_OMITTED)
                    .field("allowed", isAllowed)
                    .field("connections", connections)
                    .field("hosts", names)
                    .field("duration_ms", millis)
                    .field("sent_bytes", sentBytes)
                    .field("received_bytes", receivedBytes)
                    .build());
            omitted = 0;
            sent = 0;
            received = 0;
            hosts.clear();
        }
    }
}
