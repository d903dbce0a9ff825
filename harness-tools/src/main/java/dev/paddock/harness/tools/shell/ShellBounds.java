package dev.paddock.harness.tools.shell;

import java.time.Duration;

/**
 * How long to wait for background shells.
 *
 * @param killGrace the time between SIGTERM and SIGKILL
 * @param drain the longest wait for output that is still in the pipe after the process has exited
 * @param input the longest wait for a command to read its input
 */
record ShellBounds(Duration killGrace, Duration drain, Duration input) {
    /** The time that each further shell adds: the machine terminates only a few concurrently. */
    private static final Duration EACH = Duration.ofMillis(100);

    static final ShellBounds STANDARD =
            new ShellBounds(Duration.ofSeconds(5), Duration.ofSeconds(2), Duration.ofSeconds(5));

    /** Returns the longest wait for several shells that are terminated at once. */
    Duration killPatience(int shells) {
        return killPatience().plus(EACH.multipliedBy(shells));
    }

    /** Returns the longest wait for a shell to end after its termination was requested. */
    Duration killPatience() {
        return killGrace.plus(drain).plusSeconds(2);
    }
}
