package dev.paddock.harness.tools.command;

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

/** Sees to it that each command of the model is told of once, when it is over, in whatever way it ends. */
public final class AuditTrail {
    private final String executor;
    private final Consumer<CommandAudit> listener;
    private final Set<Entry> open = ConcurrentHashMap.newKeySet();

    /**
     * Makes a trail.
     *
     * @param executor the executor's name
     * @param listener is told; must neither block nor throw
     */
    public AuditTrail(String executor, Consumer<CommandAudit> listener) {
        this.executor = executor;
        this.listener = listener;
    }

    /** Begins to account for a command, before anything is done about it. Whoever takes the entry over ends it. */
    public Entry begin(String callId, String command, boolean background) {
        Entry entry = new Entry(callId, ProgramName.of(command), background);
        open.add(entry);
        return entry;
    }

    /** Tells of the commands whose end has not been seen, as lost. For the session's end, when nobody looks any more. */
    public void close() {
        List.copyOf(open).forEach(entry -> entry.ended(Outcome.LOST));
    }

    /** One command. The first ending counts; later ones change nothing. */
    public final class Entry {
        private final String callId;
        private final String program;
        private final boolean background;
        private final Instant startedAt = Instant.now();

        private Entry(String callId, String program, boolean background) {
            this.callId = callId;
            this.program = program;
            this.background = background;
        }

        /** It did not run, or what it did is not known. */
        public void ended(Outcome outcome) {
            ended(outcome, Optional.empty(), Duration.ZERO, 0);
        }

        /** It ran. */
        public void ended(CommandResult finished) {
            switch (finished.ending()) {
                case CommandOutcome.Ended ended ->
                    ended(
                            ended.status().success() ? Outcome.OK : Outcome.FAILED,
                            Optional.of(ended.status()),
                            finished);
                case CommandOutcome.TimedOut timedOut -> ended(Outcome.TIMED_OUT, Optional.empty(), finished);
                case CommandOutcome.Aborted aborted -> ended(Outcome.ABORTED, Optional.empty(), finished);
                case CommandOutcome.Lost lost -> ended(Outcome.LOST, Optional.empty(), finished);
            }
        }

        private void ended(Outcome outcome, Optional<ExitStatus> status, CommandResult finished) {
            ended(outcome, status, finished.took(), finished.output().tail().totalBytes());
        }

        /** It ran in the background, for so long, and wrote so much. */
        public void ended(Outcome outcome, Optional<ExitStatus> status, Duration took, long outputBytes) {
            if (open.remove(this)) {
                listener.accept(CommandAudit.builder(callId, executor, program, startedAt, outcome)
                        .background(background)
                        .status(status)
                        .took(took)
                        .outputBytes(outputBytes)
                        .build());
            }
        }
    }
}
