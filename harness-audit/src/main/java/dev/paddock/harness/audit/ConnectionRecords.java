package dev.paddock.harness.audit;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.HostConnection;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Creates the records of an executor's connections. Since commands determine their number, beyond a
 * limit per minute, for allowed and denied ones each, one record summarizes the rest, so
 * that they cannot push the records of commands out of the store.
 */
final class ConnectionRecords implements Consumer<HostConnection> {
    /** The maximum number of single records per minute, for allowed and denied connections each. */
    static final int MAX_PER_MINUTE = 600;

    private static final int MAX_HOSTS = 100;

    private final CommandExecutor executor;
    private final AuditSink sink;
    private final Redaction redaction;
    private final Optional<String> session;
    private final Clock clock;
    private final String user = System.getProperty("user.name", "");
    private final long jvm = ProcessHandle.current().pid();
    private final Consumer<Supplier<AuditRecord>> recorder;
    private final Minute allowed = new Minute(true);
    private final Minute denied = new Minute(false);
    private volatile boolean stopped;

    /**
     * Creates the recorder.
     *
     * @param recorder creates and hands over a record on a thread that may block
     */
    ConnectionRecords(AuditedExecutor.Builder options, Consumer<Supplier<AuditRecord>> recorder) {
        executor = options.executor;
        sink = options.sink;
        redaction = options.redaction;
        session = options.session;
        clock = options.clock;
        this.recorder = recorder;
    }

    /** Returns whether the records go to a sink. */
    boolean goTo(AuditSink other) {
        return sink.equals(other);
    }

    /** Stops recording; another recorder takes over. */
    void stop() {
        stopped = true;
    }

    @Override
    public void accept(HostConnection connection) {
        if (!stopped) {
            (connection.allowed() ? allowed : denied).add(connection);
        }
    }

    /** Hands over the totals of the current minute. */
    void flush() {
        allowed.flush();
        denied.flush();
    }

    private AuditRecord record(HostConnection connection) {
        AuditRecord.Builder record = begin(AuditRecord.CONNECTION).field("host", redacted(connection.host()));
        connection.port().ifPresent(port -> record.field("port", port));
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
        return record.field("executor", executor.name()).field("user", user).field("jvm_pid", jvm);
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
                recorder.accept(() -> record(connection));
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
            AuditRecord.Builder sum = begin(AuditRecord.CONNECTIONS_OMITTED)
                    .field("allowed", isAllowed)
                    .field("connections", omitted)
                    .field(
                            "hosts",
                            hosts.stream().map(ConnectionRecords.this::redacted).toList())
                    .field(
                            "duration_ms",
                            Duration.ofNanos(System.nanoTime() - began).toMillis())
                    .field("sent_bytes", sent)
                    .field("received_bytes", received);
            omitted = 0;
            sent = 0;
            received = 0;
            hosts.clear();
            recorder.accept(sum::build);
        }
    }
}
