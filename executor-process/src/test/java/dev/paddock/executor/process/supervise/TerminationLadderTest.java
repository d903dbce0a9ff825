package dev.paddock.executor.process.supervise;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.executor.process.end.TerminationLadder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/**
 * Tests the sequence SIGTERM, grace period, SIGKILL, with a tree that only records the signals it
 * receives.
 */
class TerminationLadderTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final List<String> sent = new ArrayList<>();
    private final List<Duration> delays = new ArrayList<>();
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private int killsNeeded = 1;

    private final TerminationLadder ladder = ladder(MINUTE);

    private TerminationLadder ladder(Duration killBound) {
        return new TerminationLadder(
                new Recording(),
                (delay, task) -> {
                    delays.add(delay);
                    tasks.add(task);
                },
                new TerminationLadder.Pacing(Duration.ofMillis(1), Duration.ofMillis(2), killBound));
    }

    private final class Recording implements TerminationLadder.Target {
        @Override
        public CompletableFuture<?> onEnd() {
            return ended;
        }

        @Override
        public void terminate() {
            sent.add("TERM");
        }

        @Override
        public void wake() {
            sent.add("CONT");
        }

        @Override
        public void kill() {
            sent.add("KILL");
            if (--killsNeeded == 0) {
                ended.complete(null);
            }
        }
    }

    @Test
    void killFollowsGrace() {
        ladder.start(MINUTE);
        assertThat(sent).containsExactly("TERM");
        assertThat(delays)
                .singleElement(as(InstanceOfAssertFactories.DURATION))
                .isBetween(MINUTE.minusSeconds(30), MINUTE);
        tasks.remove().run();
        assertThat(sent).containsExactly("TERM", "KILL");
    }

    @Test
    void treeThatHasEndedIsNotKilled() {
        ladder.start(MINUTE);
        ended.complete(null);
        tasks.remove().run();
        assertThat(sent).containsExactly("TERM");
    }

    @Test
    void withoutGraceOnlyKillIsSent() {
        ladder.start(Duration.ZERO);
        tasks.remove().run();
        assertThat(sent).containsExactly("KILL");
    }

    @Test
    void killIsRepeatedUntilTreeHasEnded() {
        killsNeeded = 3;
        ladder.start(Duration.ZERO);
        tasks.remove().run();
        assertThat(sent).containsExactly("KILL", "KILL", "KILL");
    }

    /** The JVM may have been paused for the whole bound before it checks the time. */
    @Test
    void lateKillIsSentOnce() {
        TerminationLadder late = ladder(Duration.ZERO);
        late.start(Duration.ZERO);
        tasks.remove().run();
        assertThat(sent).containsExactly("KILL");
        late.endLeftovers(Duration.ZERO, () -> true);
        assertThat(sent).containsExactly("KILL", "TERM", "KILL");
    }

    @Test
    void treeThatCannotBeKilledIsAbandoned() {
        killsNeeded = Integer.MAX_VALUE;
        ladder(Duration.ofMillis(50)).start(Duration.ZERO);
        tasks.remove().run();
        assertThat(sent).contains("KILL").doesNotContain("TERM");
        assertThat(ended).isNotDone();
    }

    @Test
    void secondCallOnlyShortensGrace() {
        ladder.start(MINUTE);
        ladder.start(MINUTE.plusSeconds(1));
        ladder.start(SECOND);
        assertThat(sent).containsExactly("TERM");
        assertThat(delays)
                .hasSize(2)
                .last(as(InstanceOfAssertFactories.DURATION))
                .isLessThanOrEqualTo(SECOND);
    }

    @Test
    void leftoversThatEndByThemselvesAreNotKilled() {
        Deque<Boolean> looks = new ArrayDeque<>(List.of(true, true, false, false));
        ladder.endLeftovers(MINUTE, looks::remove);
        assertThat(sent).containsExactly("TERM");
    }

    @Test
    void leftoversAreKilledAfterGrace() {
        ladder.endLeftovers(
                Duration.ofMillis(1), () -> sent.stream().filter("KILL"::equals).count() < 2);
        assertThat(sent).containsExactly("TERM", "KILL", "KILL");
    }

    @Test
    void leftoversOfAbortedCommandReceiveNoSecondTerm() {
        ladder.start(MINUTE);
        Deque<Boolean> looks = new ArrayDeque<>(List.of(true, false, false));
        ladder.endLeftovers(MINUTE, looks::remove);
        assertThat(sent).containsExactly("TERM", "CONT");
    }

    @Test
    void gracePeriodOfAbortAppliesToLeftovers() {
        ladder.start(Duration.ZERO);
        ladder.endLeftovers(MINUTE, () -> !sent.contains("KILL"));
        assertThat(sent).containsExactly("TERM", "KILL");
    }
}
