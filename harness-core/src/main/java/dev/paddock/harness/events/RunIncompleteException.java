package dev.paddock.harness.events;

import java.io.Serial;

/**
 * Reports that a run did not complete, and carries its outcome.
 *
 * @since 0.1
 */
public final class RunIncompleteException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient RunOutcome outcome;

    RunIncompleteException(RunOutcome outcome) {
        super(message(outcome), outcome.failure().orElse(null));
        this.outcome = outcome;
    }

    /** {@return how the run ended; not completed} */
    public RunOutcome outcome() {
        return outcome;
    }

    private static String message(RunOutcome outcome) {
        return "the run did not complete: it ended as " + outcome.end() + " after " + outcome.turns() + " turns"
                + outcome.failure().map(failure -> ": " + failure.getMessage()).orElse("");
    }
}
