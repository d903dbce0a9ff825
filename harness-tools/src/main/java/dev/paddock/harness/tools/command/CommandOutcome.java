package dev.paddock.harness.tools.command;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExitStatus;
import java.time.Duration;

/** Says how a command ended, from the session's point of view. */
public sealed interface CommandOutcome {

    /** The command exited by itself, successfully or not. */
    record Ended(ExitStatus status) implements CommandOutcome {}

    /** The command exceeded its timeout and was terminated. */
    record TimedOut(Duration timeout) implements CommandOutcome {}

    /** The command was aborted by the caller and terminated. */
    record Aborted() implements CommandOutcome {}

    /** The sandbox in which the command ran was lost. */
    record Lost(ExecutorException reason) implements CommandOutcome {}
}
