package dev.paddock.harness.tools.command;

import dev.paddock.executor.CommandOutcome;
import dev.paddock.executor.ExitStatus;
import dev.paddock.harness.tools.CommandAudit;
import dev.paddock.harness.tools.CommandAudit.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Reports each command of the model to the audit listener exactly once, after it has ended in any
 * way.
 */
public final class AuditTrail {
    private final Supplier<String> executor;
    private final Consumer<CommandAudit> listener;
    private final Set<Entry> open = ConcurrentHashMap.newKeySet();

    /**
     * Creates a trail.
     *
     * @param executor the executor's name
     * @param listener receives the records; must neither block nor throw
     */
    public AuditTrail(String executor, Consumer<CommandAudit> listener) {
        this(() -> executor, listener);
    }

    /**
     * Creates a trail of an executor whose name is not known yet.
     *
     * @param executor returns the executor's name
     * @param listener receives the records; must neither block nor throw
     */
    public AuditTrail(Supplier<String> executor, Consumer<CommandAudit> listener) {
        this.executor = executor;
        this.listener = listener;
    }

    /**
     * Opens the audit entry of a command before the session acts on it. The code that receives the entry must end it.
     */
    public Entry begin(String callId, String command, boolean background) {
        Entry entry = new Entry(callId, ProgramName.of(command), background);
        open.add(entry);
        return entry;
    }

    /**
     * Reports the commands whose end was not observed as lost. Called when the session closes and
     * stops observing them.
     */
    public synchronized void close() {
        List.copyOf(open).forEach(entry -> entry.ended(Outcome.LOST));
    }

    /** Tracks one command. Reports the first ending; ignores later ones. */
    public final class Entry {
        private final String callId;
        private final String program;
        private final boolean background;
        private final Instant startedAt = Instant.now();
        private volatile Optional<String> shellId = Optional.empty();

        private Entry(String callId, String program, boolean background) {
            this.callId = callId;
            this.program = program;
            this.background = background;
        }

        /** Names the background shell that runs the command. */
        public void shell(String id) {
            shellId = Optional.of(id);
        }

        /** Ends the entry of a command that did not run, or whose result is unknown. */
        public void ended(Outcome outcome) {
            ended(outcome, Optional.empty(), Duration.ZERO, 0);
        }

        /** Ends the entry of a foreground command that ran. */
        public void ended(CapturedRun finished) {
            switch (finished.outcome()) {
                case CommandOutcome.Exited exited ->
                    ended(
                            exited.status().isSuccess() ? Outcome.OK : Outcome.FAILED,
                            Optional.of(exited.status()),
                            finished);
                case CommandOutcome.TimedOut timedOut -> ended(Outcome.TIMED_OUT, Optional.empty(), finished);
                case CommandOutcome.Aborted aborted -> ended(Outcome.ABORTED, Optional.empty(), finished);
                case CommandOutcome.Lost lost -> ended(Outcome.LOST, Optional.empty(), finished);
            }
        }

        private void ended(Outcome outcome, Optional<ExitStatus> status, CapturedRun finished) {
            ended(outcome, status, finished.took(), finished.output().tail().totalBytes());
        }

        /**
         * Ends the entry of a background command, with its duration and the number of bytes that it
         * wrote.
         */
        public void ended(Outcome outcome, Optional<ExitStatus> status, Duration took, long outputBytes) {
            // Atomic with close(), after which no record may be reported.
            synchronized (AuditTrail.this) {
                if (open.remove(this)) {
                    listener.accept(CommandAudit.builder(callId, executor.get(), program, startedAt, outcome)
                            .background(background)
                            .shellId(shellId)
                            .status(status)
                            .took(took)
                            .outputBytes(outputBytes)
                            .build());
                }
            }
        }
    }
}
