package dev.paddock.harness.tools.command;

import java.time.Duration;

/**
 * Holds a session's time limits for commands.
 *
 * @param defaultTimeout the timeout of a command that names none
 * @param maximumTimeout the longest timeout that a command may name
 * @param killGrace the time between SIGTERM and SIGKILL for a process tree
 */
public record CommandLimits(Duration defaultTimeout, Duration maximumTimeout, Duration killGrace) {}
