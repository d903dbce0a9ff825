package dev.paddock.executor.remote.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests for when no output is delivered any more. */
class DeliveriesTest {
    private final Deliveries deliveries = new Deliveries();

    /** Polls until it is quiet, and returns how often. */
    private int polls() {
        return IntStream.rangeClosed(1, 10)
                .filter(poll -> deliveries.isQuiet())
                .findFirst()
                .orElseThrow();
    }

    /** However much time has passed: the JVM may have been paused. */
    @Test
    void onePollDoesNotShowThatItIsQuiet() {
        assertThat(deliveries.isQuiet()).isFalse();
        assertThat(polls()).isEqualTo(4);
    }

    @Test
    void deliveryRestartsCount() {
        deliveries.isQuiet();
        deliveries.begin();
        deliveries.end();
        assertThat(polls()).isEqualTo(5);
    }

    @Test
    void deliveryInProgressIsNotQuiet() {
        deliveries.begin();
        assertThat(IntStream.range(0, 10)).noneMatch(poll -> deliveries.isQuiet());
        deliveries.end();
        assertThat(polls()).isEqualTo(4);
    }
}
