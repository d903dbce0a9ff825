package dev.paddock.harness.audit;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ForwardingExecutor;
import dev.paddock.executor.HostConnection;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.observe.ObservedProcess;
import dev.paddock.executor.policy.SandboxPolicy;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Clock;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Writes one record per launch: when the command has closed, was lost, or could not be started. If the executor was
 * {@linkplain #builder(Function, AuditSink) created} with this object's observer, also writes one per connection in a
 * network of allowed hosts, when it ended or was denied. Commands of an executor share the network, so the record of a
 * connection names no command and has no caller's context.
 *
 * <p><b>Off the command's path.</b> Neither the start nor the end of a command waits for its record, and none fails
 * because of it. {@link #unrecorded} counts the records that could not be handed to the sink; the log reports them at
 * the level ERROR. A command that still runs when the JVM is killed leaves no record; {@link Builder#required} adds one
 * before each launch.
 *
 * <p>If several audited executors with one sink wrap each other, only the outermost records the launch.
 *
 * <p>Defaults: the {@linkplain Redaction#standard() standard redaction}, the whole command, no session, no caller's
 * context, no policy, the system's clock, no record before the launch. The sink belongs to the caller.
 *
 * @since 0.1
 */
public final class AuditedExecutor extends ForwardingExecutor {
    private static final Logger LOG = LateLogger.of(AuditedExecutor.class);
    private static final long DISPOSAL_SECONDS = 10;
    /** The sinks that already record the launch on this thread. */
    private static final ThreadLocal<Set<AuditSink>> RECORDING =
            ThreadLocal.withInitial(() -> Collections.newSetFromMap(new IdentityHashMap<>()));

    /** The part of a command that a record contains. */
    public enum CommandText {
        /** Its first 16,384 characters, without the credentials that the redaction recognizes. */
        REDACTED,
        /** Only the name of its program, if it is a plain word, so that no secret argument is recorded. */
        PROGRAM
    }

    private final AuditSink sink;
    private final CommandRecords records;
    private final ConnectionRecords connections;
    private final Optional<Consumer<AuditRecord>> required;
    private final AtomicLong unrecorded = new AtomicLong();
    /** Pending records by command id. */
    private final Map<String, CompletableFuture<?>> open = new ConcurrentHashMap<>();

    private final ThreadPoolExecutor writer;

    private AuditedExecutor(Builder builder, CommandExecutor executor, ConnectionRecords connections) {
        super(executor);
        this.connections = connections;
        sink = builder.sink;
        records = new CommandRecords(builder, executor);
        required = builder.required;
        // Executor threads report a command's end and must not block on disk I/O.
        writer = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread thread = new Thread(null, task, "paddock-audit", 0, false);
            thread.setDaemon(true);
            return thread;
        });
        writer.allowCoreThreadTimeOut(true);
        connections.begin(new ConnectionRecords.Recording(executor, this::recordLater));
    }

    private void recordLater(Supplier<AuditRecord> record) {
        String key = AuditRecord.newId();
        CompletableFuture<Void> handedOver = new CompletableFuture<>();
        open.put(key, handedOver);
        writer.execute(() -> {
            record(record);
            open.remove(key);
            handedOver.complete(null);
        });
    }

    /**
     * Returns a builder with the defaults, which records commands only: an executor reports connections only to the
     * observers that it was created with.
     *
     * @param executor the executor that runs the commands; disposed of with the audited one
     * @param sink receives the records; stays open
     * @return the builder
     */
    public static Builder builder(CommandExecutor executor, AuditSink sink) {
        return new Builder(observer -> executor, sink);
    }

    /**
     * Returns a builder with the defaults, which also records connections.
     *
     * @param backend creates the executor with the given observer, by
     *     {@link dev.paddock.executor.ExecutorOptions#onConnection}, in an open network
     *     {@link dev.paddock.executor.ExecutorOptions#onRelayedConnection}, or the executor's own builder; called
     *     when the audited executor is built. The executor is disposed of with the audited one
     * @param sink receives the records; stays open
     * @return the builder
     */
    public static Builder builder(Function<Consumer<HostConnection>, CommandExecutor> backend, AuditSink sink) {
        return new Builder(backend, sink);
    }

    /**
     * {@inheritDoc}
     *
     * @throws SpawnException also if the {@linkplain Builder#required required} record before the launch could not be
     *     written; its cause is the writer's fault
     */
    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        Set<AuditSink> recording = RECORDING.get();
        if (!recording.add(sink)) {
            return super.spawn(command, options);
        }
        try {
            return recorded(command, options);
        } finally {
            recording.remove(sink);
            if (recording.isEmpty()) {
                RECORDING.remove();
            }
        }
    }

    private ProcessLike recorded(String command, SpawnOptions options) {
        CommandRecords.Launch launch = records.launch(command, options);
        required.ifPresent(before -> writeBefore(before, launch));
        ProcessLike process;
        try {
            process = super.spawn(command, options);
        } catch (RuntimeException | Error fault) {
            launch.stop();
            follow(launch, CompletableFuture.runAsync(() -> record(() -> launch.notStarted(fault)), writer));
            throw fault;
        }
        CompletableFuture<Void> handedOver = new CompletableFuture<>();
        follow(launch, handedOver);
        ProcessLike observed = ObservedProcess.of(process, options, (end, output) -> {
            launch.stop();
            var unused = output.thenAcceptAsync(count -> record(() -> launch.ended(end, count)), writer)
                    .whenComplete((done, fault) -> {
                        if (fault != null) { // the writer could not start its thread
                            unrecorded(fault);
                        }
                        handedOver.complete(null);
                    });
        });
        writer.execute(launch::prepare);
        return observed;
    }

    private static void writeBefore(Consumer<AuditRecord> writer, CommandRecords.Launch launch) {
        try {
            writer.accept(launch.starting());
        } catch (RuntimeException fault) {
            throw new SpawnException(
                    "the command was not started, because its audit record could not be written: " + fault.getMessage(),
                    fault);
        }
    }

    private void follow(CommandRecords.Launch launch, CompletableFuture<Void> handedOver) {
        open.put(launch.id(), handedOver);
        var unused = handedOver.whenComplete((done, fault) -> open.remove(launch.id()));
    }

    private void record(Supplier<AuditRecord> record) {
        try {
            sink.append(record.get());
        } catch (RuntimeException | Error fault) {
            unrecorded(fault);
        }
    }

    private void unrecorded(Throwable fault) {
        unrecorded.incrementAndGet();
        LOG.log(Level.ERROR, "the audit record of a command or connection could not be handed to its sink", fault);
    }

    /**
     * {@return how many launches and connections have no record because creating it failed or the sink threw} The sink
     * counts records that it accepted but could not store.
     */
    public long unrecorded() {
        return unrecorded.get();
    }

    /**
     * Disposes of the executor, then {@linkplain #awaitRecords() waits} for the records of the
     * commands that disposal ended.
     */
    @Override
    public void dispose() {
        try {
            super.dispose();
        } finally {
            awaitRecords();
        }
    }

    /**
     * Waits until the records of the commands so far have been handed to the sink, 10 seconds at most; the log reports
     * any others. Use it for an executor that another owner disposes of, after its commands have ended.
     */
    public void awaitRecords() {
        connections.flush();
        CompletableFuture<?>[] rest = open.values().toArray(new CompletableFuture<?>[0]);
        try {
            CompletableFuture.allOf(rest).get(DISPOSAL_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException late) {
            LOG.log(
                    Level.ERROR,
                    "the audit records of " + open.size()
                            + " commands and connections that have ended were not made within " + DISPOSAL_SECONDS
                            + " s");
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
    }

    /** Collects options. Not safe for use by several threads. */
    public static final class Builder {
        final Function<Consumer<HostConnection>, CommandExecutor> backend;
        final AuditSink sink;
        Redaction redaction = Redaction.standard();
        CommandText commandText = CommandText.REDACTED;
        Optional<String> session = Optional.empty();
        Supplier<Map<String, String>> caller = Map::of;
        Optional<SandboxPolicy> policy = Optional.empty();
        Clock clock = Clock.systemUTC();
        Optional<Consumer<AuditRecord>> required = Optional.empty();

        private Builder(Function<Consumer<HostConnection>, CommandExecutor> backend, AuditSink sink) {
            this.backend = backend;
            this.sink = sink;
        }

        /**
         * Sets the redaction of every text of a record.
         *
         * @param value the redaction
         * @return this builder
         */
        public Builder redaction(Redaction value) {
            redaction = value;
            return this;
        }

        /**
         * Sets how much of a command its record contains.
         *
         * @param value the whole text, redacted, or the program's name
         * @return this builder
         */
        public Builder commandText(CommandText value) {
            commandText = value;
            return this;
        }

        /**
         * Sets the session that the commands belong to.
         *
         * @param value its id
         * @return this builder
         */
        public Builder session(String value) {
            session = Optional.of(value);
            return this;
        }

        /**
         * Sets the source of the caller's context: the user, the request, the agent.
         *
         * @param value asked once for each command, on the thread that starts it; its values are
         *     redacted
         * @return this builder
         */
        public Builder caller(Supplier<Map<String, String>> value) {
            caller = value;
            return this;
        }

        /**
         * Sets the policy that the executor enforces, for the record.
         *
         * @param value the policy
         * @return this builder
         */
        public Builder policy(SandboxPolicy value) {
            policy = Optional.of(value);
            return this;
        }

        /**
         * Sets the clock of the records' times.
         *
         * @param value the clock
         * @return this builder
         */
        public Builder clock(Clock value) {
            clock = value;
            return this;
        }

        /**
         * Requires a record before each launch, {@link AuditRecord#COMMAND_STARTED}, with the same id as the launch's
         * record. The launch waits for it, and fails without it.
         *
         * @param writer writes the record, and throws if it could not, such as {@code store::write}
         * @return this builder
         */
        public Builder required(Consumer<AuditRecord> writer) {
            required = Optional.of(writer);
            return this;
        }

        /** {@return the executor} Passes on what the creation of the backend throws. */
        public AuditedExecutor build() {
            ConnectionRecords connections = new ConnectionRecords(this);
            return new AuditedExecutor(this, backend.apply(connections), connections);
        }
    }
}
