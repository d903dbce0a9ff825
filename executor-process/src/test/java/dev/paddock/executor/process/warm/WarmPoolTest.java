package dev.paddock.executor.process.warm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class WarmPoolTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    private final AtomicInteger numbers = new AtomicInteger();
    private final List<String> discarded = new CopyOnWriteArrayList<>();

    private WarmPool<String, String> pool(int size, Duration idle) {
        WarmPool.Settings settings = new WarmPool.Settings("test", size, idle, Duration.ZERO, LONG);
        return new WarmPool<>(settings, plan -> plan + numbers.incrementAndGet(), discarded::add);
    }

    private static Optional<String> take(WarmPool<String, String> pool, String plan) {
        Optional<String> taken = pool.poll(plan);
        pool.refill(plan);
        return taken;
    }

    private static void await(WarmPool<?, ?> pool, int ready) {
        Awaitility.await("the pool has the expected number of ready slots")
                .atMost(Duration.ofSeconds(30))
                .until(() -> pool.ready() == ready);
    }

    @Test
    void slotServesOneCommand() {
        try (WarmPool<String, String> pool = pool(2, LONG)) {
            assertThat(take(pool, "a")).isEmpty();
            await(pool, 2);
            assertThat(take(pool, "a")).contains("a1");
            assertThat(take(pool, "a")).contains("a2");
            await(pool, 2);
        }
        assertThat(discarded).containsExactlyInAnyOrder("a3", "a4");
    }

    /**
     * A program that runs only one command is not slowed by preparing slots that it will not need.
     */
    @Test
    void noSlotIsPreparedSoonAfterFirstCommand() {
        AtomicLong preparedAt = new AtomicLong();
        WarmPool.Settings settings = new WarmPool.Settings("test", 1, LONG, Duration.ZERO, LONG);
        long askedAt = System.nanoTime();
        try (WarmPool<String, String> pool = new WarmPool<>(
                settings,
                plan -> {
                    preparedAt.set(System.nanoTime());
                    return plan;
                },
                discarded::add)) {
            assertThat(take(pool, "a")).isEmpty();
            await(pool, 1);
        }
        assertThat(preparedAt.get() - askedAt).isGreaterThanOrEqualTo(WarmPool.FIRST_DELAY.toNanos());
    }

    @Test
    void pollingHasNoSlotPrepared() {
        try (WarmPool<String, String> pool = pool(1, LONG)) {
            pool.refill("a");
            await(pool, 1);
            assertThat(pool.poll("a")).contains("a1");
            assertThat(pool.poll("a")).isEmpty();
            pool.refill("a");
            await(pool, 1);
            assertThat(numbers).hasValue(2);
        }
    }

    @Test
    void slotOfAnotherPlanIsDiscarded() {
        try (WarmPool<String, String> pool = pool(2, LONG)) {
            pool.refill("a");
            await(pool, 2);
            assertThat(take(pool, "b")).isEmpty();
            assertThat(discarded).containsExactly("a1", "a2");
            await(pool, 2);
            assertThat(take(pool, "b")).contains("b3");
        }
    }

    @Test
    void preparationThatFailsIsNotTriedInLoop() throws Exception {
        CountDownLatch tried = new CountDownLatch(1);
        AtomicInteger tries = new AtomicInteger();
        WarmPool.Settings settings = new WarmPool.Settings("test", 2, LONG, Duration.ZERO, LONG);
        try (WarmPool<String, String> pool = new WarmPool<>(
                settings,
                plan -> {
                    tries.incrementAndGet();
                    tried.countDown();
                    throw new IOException("no more of these");
                },
                discarded::add)) {
            pool.refill("a");
            tried.await();
            Awaitility.await("a failed warming is not repeated at once")
                    .during(Duration.ofMillis(200))
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> {
                        pool.refill("a");
                        return tries.get() == 1;
                    });
        }
    }

    /** An error such as the JVM's report that it cannot create a thread. */
    @Test
    void preparationThatEndsWithErrorIsNotLast() {
        WarmPool.Settings settings = new WarmPool.Settings("test", 1, LONG, Duration.ZERO, Duration.ZERO);
        try (WarmPool<String, String> pool = new WarmPool<>(
                settings,
                plan -> {
                    if (numbers.incrementAndGet() == 1) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    return plan;
                },
                discarded::add)) {
            Awaitility.await("a slot is made again after a failure")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> {
                        pool.refill("a");
                        return pool.ready() == 1;
                    });
        }
        assertThat(numbers).hasValue(2);
    }

    @Test
    void slotThatFailsStopsPreparationForWhile() {
        try (WarmPool<String, String> pool = pool(1, LONG)) {
            pool.failed("a", new IOException("it was dead"));
            pool.refill("a");
            assertThat(take(pool, "a")).isEmpty();
            assertThat(numbers).hasValue(0);
        }
    }

    @Test
    void slotThatFailsDoesNotStopPreparationForAnotherPlan() {
        try (WarmPool<String, String> pool = pool(1, LONG)) {
            pool.failed("a", new IOException("it was dead"));
            pool.refill("b");
            await(pool, 1);
            assertThat(take(pool, "b")).contains("b1");
        }
    }

    @Test
    void idleSlotsAreDropped() {
        try (WarmPool<String, String> pool = pool(2, Duration.ofMillis(300))) {
            pool.refill("a");
            Awaitility.await("both slots are discarded")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> discarded.size() == 2);
            assertThat(pool.ready()).isZero();
        }
    }

    @Test
    void closingDiscardsWhatIsReady() {
        WarmPool<String, String> pool = pool(2, LONG);
        pool.refill("a");
        await(pool, 2);
        pool.close();
        pool.close();
        assertThat(discarded).containsExactlyInAnyOrder("a1", "a2");
        pool.refill("a");
        assertThat(take(pool, "a")).isEmpty();
    }

    @Test
    void poolOfSizeZeroPreparesNoSlot() {
        try (WarmPool<String, String> pool = pool(0, LONG)) {
            pool.refill("a");
            assertThat(take(pool, "a")).isEmpty();
            assertThat(numbers).hasValue(0);
        }
    }
}
