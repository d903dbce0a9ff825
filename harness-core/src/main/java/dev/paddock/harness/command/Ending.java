package dev.paddock.harness.command;

import dev.paddock.executor.ExecutorException;
import dev.paddock.executor.ExitStatus;
import java.time.Duration;

/** How a command came to its end, as the session sees it. */
sealed interface Ending {

    /** It ended by itself, well or not. */
    record Ended(ExitStatus status) implements Ending {}

    /** Its time was up, and it was ended. */
    record TimedOut(Duration timeout) implements Ending {}

    /** It was not wanted any more, and was ended. */
    record Aborted() implements Ending {}

    /** The place where it ran was lost. */
    record Lost(ExecutorException reason) implements Ending {}
}
