package dev.paddock.harness.guest;

import dev.paddock.harness.tools.Json;
import java.time.Duration;
import java.util.List;

/**
 * The result of guest code.
 *
 * @param result the value that it returned, as JSON; null for undefined
 * @param logs the lines that it logged, in order; a last one says how many characters were left out
 * @param took the time from a guest's receipt of the code to its result
 * @since 0.1
 */
public record GuestResult(Json result, List<String> logs, Duration took) {
    public GuestResult {
        logs = List.copyOf(logs);
    }
}
