package dev.paddock.harness.tools.shell;

import dev.paddock.executor.AbortSignal;
import dev.paddock.executor.AbortedException;
import dev.paddock.harness.files.access.PatternException;
import dev.paddock.harness.files.content.TimedPattern;
import dev.paddock.harness.tools.Json;
import dev.paddock.harness.tools.ToolException;
import dev.paddock.harness.tools.command.Timeouts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Waits for a background shell: until it ends, a new line of its output contains a pattern, or the time is over.
 *
 * @param atMost the longest wait
 * @param until the pattern in a line of the unread output that ends the wait earlier
 * @param signal aborting it ends the wait
 */
record ShellWait(Duration atMost, Optional<TimedPattern> until, AbortSignal signal) {
    /** The longest wait that a call can ask for. */
    static final int MAX_SECONDS = 600;

    /** The longest wait if a call gives only a pattern. */
    private static final Duration STANDARD = Duration.ofSeconds(60);

    private static final Duration STEP = Duration.ofMillis(20);
    private static final Duration BETWEEN_UPDATES = Duration.ofSeconds(1);

    /**
     * Reads a call's arguments.
     *
     * @return empty if the call does not wait
     * @throws ToolException if the time is out of range, or the pattern is malformed
     */
    static Optional<ShellWait> of(Json arguments, AbortSignal signal) {
        OptionalDouble seconds = arguments.number("wait_seconds");
        String until = arguments.text("until").orElse("");
        if (seconds.isEmpty() && until.isEmpty()) {
            return Optional.empty();
        }
        double wanted = seconds.orElse((double) STANDARD.toSeconds());
        if (!(wanted >= 0 && wanted <= MAX_SECONDS)) {
            throw new ToolException(
                    "wait_seconds is " + arguments.get("wait_seconds").orElseThrow() + ": give 0 to " + MAX_SECONDS
                            + ". Nothing was read.");
        }
        try {
            return Optional.of(new ShellWait(
                    Duration.ofMillis((long) (wanted * 1000)),
                    until.isEmpty() ? Optional.empty() : Optional.of(TimedPattern.compile(until, 0, signal)),
                    signal));
        } catch (PatternException invalid) {
            throw new ToolException("until is " + invalid.getMessage() + ". Nothing was read.", invalid);
        }
    }

    /** Waits, and returns notices for the model: what ended the wait, if it was not the shell's end. */
    List<String> on(BackgroundShell shell, Consumer<String> updates) {
        long start = System.nanoTime();
        long searched = 0;
        long seen = -1;
        long nextUpdate = BETWEEN_UPDATES.toNanos();
        try {
            while (true) {
                long written = shell.outputBytes();
                if (until.isPresent() && written != seen) {
                    seen = written;
                    OptionalLong next = shell.search(until.get(), searched);
                    if (next.isEmpty()) {
                        return List.of();
                    }
                    searched = next.getAsLong();
                }
                signal.throwIfAborted();
                long waited = System.nanoTime() - start;
                if (waited >= nextUpdate) {
                    updates.accept(shell.statusLine()); // a client may give up a call without updates
                    nextUpdate = waited + BETWEEN_UPDATES.toNanos();
                }
                long left = atMost.toNanos() - waited;
                if (left <= 0) {
                    return List.of("[Waited " + Timeouts.unit(atMost) + ": it still runs"
                            + (until.isPresent() ? ", and no new line contains the pattern" : "") + ".]");
                }
                if (shell.awaitEnd(Duration.ofNanos(Math.min(left, STEP.toNanos())))) {
                    return List.of();
                }
            }
        } catch (AbortedException aborted) {
            throw new ToolException("Aborted. Nothing was read: the next call gives the same output.", aborted);
        } catch (PatternException slow) {
            return List.of("[The wait ended: " + slow.getMessage() + ".]");
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new ToolException("Aborted. Nothing was read.", interrupt);
        }
    }
}
