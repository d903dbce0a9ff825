package dev.paddock.executor;

import java.time.Duration;

/**
 * How a run of a command ended. An exit before a stop takes precedence over it.
 *
 * @since 0.1
 */
public sealed interface CommandOutcome {

    /**
     * The command ended by itself, successfully or not.
     *
     * @param status its status
     */
    record Exited(ExitStatus status) implements CommandOutcome {}

    /**
     * The command exceeded its timeout and was ended.
     *
     * @param timeout the timeout
     */
    record TimedOut(Duration timeout) implements CommandOutcome {}

    /**
     * The run's signal was aborted, and the command was ended.
     *
     * @param reason the signal's reason
     */
    record Aborted(String reason) implements CommandOutcome {}

    /**
     * The executor lost the command; it is unknown how it ended.
     *
     * @param cause the executor's report
     */
    record Lost(ExecutorException cause) implements CommandOutcome {}
}
