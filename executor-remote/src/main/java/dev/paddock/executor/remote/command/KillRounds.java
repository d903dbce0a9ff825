package dev.paddock.executor.remote.command;

import java.time.Duration;

/**
 * Measures how long SIGKILL has had no effect on a command. It is sent in rounds, each of which awaits
 * an answer for a bounded time; a longer round counts only that bound, since a paused JVM reads no answers.
 */
final class KillRounds {
    /**
     * A control shell that answers nothing for this long has been stopped. Under load it answers late, but it answers
     * some of the calls.
     */
    private static final Duration SILENCE = Duration.ofSeconds(2);

    private final Duration longest;
    private Duration killing = Duration.ZERO;
    private int silent;

    /** @param longest how long a round takes at most */
    KillRounds(Duration longest) {
        this.longest = longest;
    }

    /**
     * Counts a finished round.
     *
     * @param took how long it took
     * @param silence how long none of the pending calls has been answered
     */
    synchronized void add(Duration took, Duration silence) {
        killing = killing.plus(took.compareTo(longest) < 0 ? took : longest);
        silent = silence.compareTo(SILENCE) < 0 ? 0 : silent + 1;
    }

    /** Returns how long SIGKILL has been repeated. */
    synchronized Duration killing() {
        return killing;
    }

    /**
     * Returns whether the control shell has been stopped: it was silent for so long, and during one more round, in
     * which this JVM would have read an answer that arrived while the JVM was paused.
     */
    synchronized boolean isUnanswered() {
        return silent > 1;
    }
}
