package dev.paddock.harness.audit;

import dev.paddock.executor.CommandExecutor;
import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ForwardingExecutor;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnException;
import dev.paddock.executor.SpawnOptions;
import dev.paddock.executor.policy.SandboxPolicy;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Writes a record when a command starts and one when it has closed.
 *
 * <p><b>Fails closed.</b> The first record is written before the command starts: if it cannot be
 * written, {@link #spawn} throws a {@link SpawnException} and nothing runs. If the second cannot be
 * written, the command has run already: a notice of its {@link dev.paddock.executor.CleanupReport}
 * says so, and the log does at the level ERROR.
 *
 * <p>A command's {@link ProcessLike#onClosed()} completes when the second record has been written,
 * so that a caller that has seen a command close finds it in the trail. The first record has no
 * counterpart if the JVM is killed before the second.
 *
 * <p>Defaults: the {@linkplain Redaction#standard() standard redaction}, the whole command, no
 * session, no caller's context, no policy, the system's clock. The sink belongs to the caller.
 */
public final class AuditedExecutor extends ForwardingExecutor {
    private static final long DISPOSAL_SECONDS = 10;

    /** Says how much of a command a record has. */
    public enum CommandText {
        /** Its first 16,384 characters, without the credentials that the redaction recognizes. */
        REDACTED,
        /** The name of its program alone, if it is a plain word: no argument can be secret then. */
        PROGRAM
    }

    private final AuditSink sink;
    private final CommandRecords records;
    /** By the commands' ids. */
    private final Map<String, CompletableFuture<?>> open = new ConcurrentHashMap<>();

    private final ThreadPoolExecutor writer;

    private AuditedExecutor(Builder builder) {
        super(builder.executor);
        sink = builder.sink;
        records = new CommandRecords(builder);
        // Executors' threads report a command's end, and must not wait for a disk.
        writer = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread thread = new Thread(null, task, "paddock-audit", 0, false);
            thread.setDaemon(true);
            return thread;
        });
        writer.allowCoreThreadTimeOut(true);
    }

    /**
     * Returns a builder with the defaults.
     *
     * @param executor the executor that runs the commands; disposed of with the audited one
     * @param sink receives the records; stays open
     * @return the builder
     */
    public static Builder builder(CommandExecutor executor, AuditSink sink) {
        return new Builder(executor, sink);
    }

    /**
     * {@inheritDoc}
     *
     * @throws SpawnException also if the command's record could not be written; its cause is the
     *     sink's fault
     */
    @Override
    public ProcessLike spawn(String command, SpawnOptions options) {
        CommandRecords.Ending ending;
        try {
            ending = records.ending(options);
            sink.append(records.started(ending, command, options));
        } catch (RuntimeException fault) {
            throw new SpawnException(
                    "the command was not started, because its audit record could not be written: " + fault.getMessage(),
                    fault);
        }
        ProcessLike process;
        try {
            process = super.spawn(command, options);
        } catch (RuntimeException | Error fault) {
            var unused = EndReport.write(sink, ending.notStarted(fault));
            throw fault;
        }
        AuditedProcess audited = new AuditedProcess(process, options);
        CompletableFuture<?> closed = audited.follow(ending, sink, writer);
        open.put(ending.id(), closed);
        var unused = closed.whenComplete((report, fault) -> open.remove(ending.id()));
        return audited;
    }

    /**
     * Disposes of the executor, then waits for the records of the commands that this has ended, 10
     * seconds at most.
     *
     * @throws ExecutorException also if records could not be written in that time
     */
    @Override
    public void dispose() {
        try {
            super.dispose();
        } finally {
            awaitRecords();
        }
    }

    private void awaitRecords() {
        CompletableFuture<?>[] rest = open.values().toArray(new CompletableFuture<?>[0]);
        try {
            CompletableFuture.allOf(rest).get(DISPOSAL_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException lost) {
            // A command's sandbox was lost: its record says so.
        } catch (TimeoutException late) {
            throw new ExecutorException("the audit records of " + open.size() + " commands that have ended were not"
                    + " written within " + DISPOSAL_SECONDS + " s; see the log for the store's faults");
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
    }

    /** Collects options. Not safe for use by several threads. */
    public static final class Builder {
        final CommandExecutor executor;
        final AuditSink sink;
        Redaction redaction = Redaction.standard();
        CommandText commandText = CommandText.REDACTED;
        Optional<String> session = Optional.empty();
        Supplier<Map<String, String>> caller = Map::of;
        Optional<SandboxPolicy> policy = Optional.empty();
        Clock clock = Clock.systemUTC();

        private Builder(CommandExecutor executor, AuditSink sink) {
            this.executor = executor;
            this.sink = sink;
        }

        /**
         * Sets what is replaced in every text of a record.
         *
         * @param value the redaction
         * @return this builder
         */
        public Builder redaction(Redaction value) {
            redaction = value;
            return this;
        }

        /**
         * Sets how much of a command its record has.
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
         * Builds the executor.
         *
         * @return the executor
         */
        public AuditedExecutor build() {
            return new AuditedExecutor(this);
        }
    }
}
