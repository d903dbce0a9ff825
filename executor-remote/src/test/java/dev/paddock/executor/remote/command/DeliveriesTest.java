package dev.paddock.executor.remote.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests for when no output is delivered any more. */
class DeliveriesTest {
    private final Deliveries deliveries = new Deliveries();

    /** Looks until it is quiet, and returns how often. */
    private int looks() {
        return IntStream.rangeClosed(1, 10)
                .filter(look -> deliveries.isQuiet())
                .findFirst()
                .orElseThrow();
    }

    /** However much time has passed: the JVM may have been paused. */
    @Test
    void oneLookDoesNotShowThatItIsQuiet() {
        assertThat(deliveries.isQuiet()).isFalse();
        assertThat(looks()).isEqualTo(4);
    }

    @Test
    void deliveryBeginsCountAnew() {
        deliveries.isQuiet();
        deliveries.begin();
        deliveries.end();
        assertThat(looks()).isEqualTo(5);
    }

    @Test
    void deliveryInProgressIsNotQuiet() {
        deliveries.begin();
        assertThat(IntStream.range(0, 10)).noneMatch(look -> deliveries.isQuiet());
        deliveries.end();
        assertThat(looks()).isEqualTo(4);
    }
}
