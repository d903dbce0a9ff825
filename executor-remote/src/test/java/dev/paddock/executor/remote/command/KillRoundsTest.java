package dev.paddock.executor.remote.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests for when a command counts as one that cannot be killed without its remote system. */
class KillRoundsTest {
    private static final Duration ROUND = Duration.ofMillis(500);
    private static final Duration LONG = Duration.ofSeconds(2);

    private final KillRounds rounds = new KillRounds(ROUND);

    @Test
    void shellThatIsSilentForTwoRoundsDoesNotAnswer() {
        rounds.add(ROUND, LONG);
        assertThat(rounds.isUnanswered()).isFalse();
        rounds.add(ROUND, LONG.plus(ROUND));
        assertThat(rounds.isUnanswered()).isTrue();
    }

    /** Its answer arrived while the JVM was paused, and is read during the next round. */
    @Test
    void roundInWhichJvmWasPausedIsNoSilence() {
        rounds.add(Duration.ofMinutes(1), Duration.ofMinutes(1));
        rounds.add(ROUND, Duration.ZERO);
        rounds.add(Duration.ofMinutes(1), Duration.ofMinutes(1));
        assertThat(rounds.isUnanswered()).isFalse();
    }

    @Test
    void longRoundCountsAsOneBound() {
        rounds.add(Duration.ofMinutes(1), Duration.ZERO);
        rounds.add(Duration.ofMillis(40), Duration.ZERO);
        assertThat(rounds.killing()).isEqualTo(Duration.ofMillis(540));
    }
}
