package dev.paddock.harness.tools.command;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExitStatus;
import java.time.Duration;

/** How a command came to its end, as the session sees it. */
public sealed interface CommandOutcome {

    /** It ended by itself, well or not. */
    record Ended(ExitStatus status) implements CommandOutcome {}

    /** Its time was up, and it was ended. */
    record TimedOut(Duration timeout) implements CommandOutcome {}

    /** It was not wanted any more, and was ended. */
    record Aborted() implements CommandOutcome {}

    /** The place where it ran was lost. */
    record Lost(ExecutorException reason) implements CommandOutcome {}
}
