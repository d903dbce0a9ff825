package dev.paddock.harness.tools.command;

import dev.paddock.harness.tools.output.Captured;
import java.time.Duration;

/**
 * A session's limits for commands.
 *
 * @param defaultTimeout the timeout of a command that names none
 * @param maximumTimeout the longest timeout that a command may name
 * @param killGrace the time between SIGTERM and SIGKILL for a process tree
 * @param maxOutput how many characters of an output a result has, unless a call asks for another number
 */
public record CommandLimits(Duration defaultTimeout, Duration maximumTimeout, Duration killGrace, int maxOutput) {

    /**
     * Creates limits with the longest output.
     *
     * @param defaultTimeout the timeout of a command that names none
     * @param maximumTimeout the longest timeout that a command may name
     * @param killGrace the time between SIGTERM and SIGKILL for a process tree
     */
    public CommandLimits(Duration defaultTimeout, Duration maximumTimeout, Duration killGrace) {
        this(defaultTimeout, maximumTimeout, killGrace, Captured.MAX_OUTPUT);
    }
}
