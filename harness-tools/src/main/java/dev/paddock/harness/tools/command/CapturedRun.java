package dev.paddock.harness.tools.command;

import dev.paddock.executor.CleanupReport;
import dev.paddock.executor.CommandOutcome;
import dev.paddock.harness.tools.output.Captured;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The result of a finished command, with its captured output.
 *
 * @param outcome how it ended
 * @param confirmed whether its process is known to have exited; false if it did not exit in time after its termination
 *     was requested
 * @param output its captured output
 * @param cleanup the executor's cleanup report; empty if the cleanup is still running or was lost
 * @param took the time from its start to its end
 * @param nextDirectory where the next command starts; empty if that is the session's directory
 * @param directoryNotices notices for the model about the next directory
 */
public record CapturedRun(
        CommandOutcome outcome,
        boolean confirmed,
        Captured output,
        Optional<CleanupReport> cleanup,
        Duration took,
        Optional<String> nextDirectory,
        List<String> directoryNotices) {}
