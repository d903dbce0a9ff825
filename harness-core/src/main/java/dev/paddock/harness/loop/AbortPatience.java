package dev.paddock.harness.loop;

import java.time.Duration;

/**
 * How long an aborted run waits for code that ignores the abort.
 *
 * @param model the longest wait for the model's turn
 * @param tool the longest wait for a tool, in addition to the kill grace of its command
 * @param listeners the longest wait for listeners that are behind
 */
public record AbortPatience(Duration model, Duration tool, Duration listeners) {
    /** 2 s for the model, 3 s for a tool, 2 s for listeners. */
    public static final AbortPatience STANDARD =
            new AbortPatience(Duration.ofSeconds(2), Duration.ofSeconds(3), Duration.ofSeconds(2));
}
