package dev.paddock.harness.tools.command;

import dev.paddock.executor.CleanupReport;
import dev.paddock.harness.tools.output.Captured;
import java.time.Duration;
import java.util.Optional;

/**
 * A command that is over.
 *
 * @param ending how it ended
 * @param confirmed whether its process is known to be gone; false if it did not end in time after it was to be ended
 * @param output what it wrote
 * @param aftermath what the executor did afterwards; empty if that is still going on or was lost
 * @param took from its start to its end
 */
public record CommandResult(
        CommandOutcome ending, boolean confirmed, Captured output, Optional<CleanupReport> aftermath, Duration took) {}
