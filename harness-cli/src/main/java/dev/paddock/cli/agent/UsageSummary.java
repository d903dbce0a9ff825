package dev.paddock.cli.agent;

import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.events.SessionListener;
import java.time.Duration;

/** Counts the turns, time and tokens that a session has used so far. */
final class UsageSummary implements SessionListener {
    private final long startedAt = System.nanoTime();
    private int turns;
    private long input;
    private long output;

    @Override
    public synchronized void onEvent(SessionEvent event) {
        switch (event) {
            case SessionEvent.TurnStarted started -> turns++;
            case SessionEvent.TurnEnded ended ->
                ended.usage().ifPresent(usage -> {
                    input += usage.inputTokens();
                    output += usage.outputTokens();
                });
            default -> {}
        }
    }

    synchronized String line() {
        String time = LiveView.seconds(Duration.ofNanos(System.nanoTime() - startedAt));
        String tokens = input + output == 0 ? "" : ", " + input + " tokens read, " + output + " written";
        return (turns == 1 ? "1 turn" : turns + " turns") + ", " + time + tokens;
    }
}
