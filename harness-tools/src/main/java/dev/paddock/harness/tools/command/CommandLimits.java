package dev.paddock.harness.tools.command;

import java.time.Duration;

/**
 * A session's bounds on its commands' time.
 *
 * @param defaultTimeout how long a command may take that names no timeout
 * @param maximumTimeout the longest timeout that may be named
 * @param killGrace how long a tree has between TERM and KILL
 */
public record CommandLimits(Duration defaultTimeout, Duration maximumTimeout, Duration killGrace) {}
