package dev.paddock.executor.process.supervise;

import java.time.Duration;

/**
 * A supervisor's time limits.
 *
 * @param disposal how long disposal waits for all processes to exit (C11)
 * @param kill how long SIGKILL is repeated; processes that survive it are blocked in the kernel
 */
record SupervisorBounds(Duration disposal, Duration kill) {
    static final SupervisorBounds STANDARD = new SupervisorBounds(Duration.ofSeconds(10), Duration.ofSeconds(3));
}
