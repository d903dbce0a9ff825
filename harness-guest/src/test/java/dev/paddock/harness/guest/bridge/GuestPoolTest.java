package dev.paddock.harness.guest.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.paddock.harness.guest.GuestException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Tests how many guests a pool starts at a time. */
class GuestPoolTest {
    private static final int CALLERS = 3 * GuestPool.MAX_STARTING;

    private final AtomicInteger begun = new AtomicInteger();
    private final CountDownLatch go = new CountDownLatch(1);

    /** Begins a start, which fails once the test lets it. */
    private GuestProcess start() {
        begun.incrementAndGet();
        try {
            go.await();
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
        throw new GuestException(GuestException.Kind.LOST, "GuestError", "no guest", "", List.of());
    }

    @Test
    void fewGuestsStartAtTimeAndOthersWaitForTheirTurn() throws Exception {
        AtomicInteger failed = new AtomicInteger();
        List<Thread> callers = new ArrayList<>();
        try (GuestPool pool = new GuestPool(this::start, 0)) {
            for (int number = 0; number < CALLERS; number++) {
                callers.add(Thread.ofPlatform().start(() -> {
                    try {
                        pool.take();
                    } catch (GuestException noGuest) {
                        failed.incrementAndGet();
                    }
                }));
            }
            Awaitility.await("every caller starts a guest or waits")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> callers.stream().allMatch(caller -> caller.getState() == Thread.State.WAITING));
            assertThat(begun).hasValue(GuestPool.MAX_STARTING);
            callers.getLast().interrupt();
            Awaitility.await("a caller that is interrupted waits no longer")
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> failed.get() == 1);
            go.countDown();
            for (Thread caller : callers) {
                caller.join();
            }
        }
        assertThat(failed).hasValue(CALLERS);
    }
}
