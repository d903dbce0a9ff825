package dev.paddock.executor.os.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Checks that all members beat at once. */
class HeartbeatTest {
    private static final long PATIENCE_SECONDS = 30;

    @Test
    void allMembersBeatOnOneThreadAndFailureOfOneStopsNoOther() throws InterruptedException {
        BlockingQueue<Thread> first = new ArrayBlockingQueue<>(1);
        BlockingQueue<Thread> last = new ArrayBlockingQueue<>(1);
        Heartbeat.Beating failing = () -> {
            throw new IllegalStateException("a beat that fails, for the test");
        };
        Heartbeat.Beating one = () -> first.offer(Thread.currentThread());
        Heartbeat.Beating other = () -> last.offer(Thread.currentThread());
        Heartbeat.add(one);
        Heartbeat.add(failing);
        Heartbeat.add(other);
        try {
            assertThat(last.poll(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .isNotNull()
                    .isSameAs(first.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
        } finally {
            Heartbeat.remove(one);
            Heartbeat.remove(failing);
            Heartbeat.remove(other);
        }
    }
}
