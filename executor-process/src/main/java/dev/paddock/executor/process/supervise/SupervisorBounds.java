package dev.paddock.executor.process.supervise;

import java.time.Duration;

/**
 * A supervisor's own time limits.
 *
 * @param disposal how long disposal waits for the end of all processes (C11)
 * @param kill how long SIGKILL is repeated: the kernel holds the processes that are left then
 */
record SupervisorBounds(Duration disposal, Duration kill) {
    static final SupervisorBounds STANDARD = new SupervisorBounds(Duration.ofSeconds(10), Duration.ofSeconds(3));
}
