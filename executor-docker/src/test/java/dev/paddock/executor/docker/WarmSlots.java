package dev.paddock.executor.docker;

import java.time.Duration;
import org.awaitility.Awaitility;

/** Waits for a container's warm slots. */
final class WarmSlots {
    private static final int STANDARD = 2;

    private WarmSlots() {}

    /**
     * Waits until all slots are ready: an engine that is asked to kill, stop or pause a container while it
     * starts a process there blocks.
     */
    static void await(DockerExecutor executor) {
        Awaitility.await("both warm slots are ready")
                .atMost(Duration.ofSeconds(60))
                .until(() -> executor.waitingSlots() == STANDARD);
    }
}
