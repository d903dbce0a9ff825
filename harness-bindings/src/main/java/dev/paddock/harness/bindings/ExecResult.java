package dev.paddock.harness.bindings;

import java.time.Duration;

/**
 * The result of a command of {@code EXEC}.
 *
 * @param exitCode its exit code, 128 + n if signal n ended it
 * @param stdout its standard output, at most 1 MiB: beyond that its head and its tail, with a line that says how much
 *     was left out
 * @param stderr its standard error, likewise
 * @param timedOut whether it was ended at its time limit
 * @param took how long it ran
 * @since 0.1
 */
public record ExecResult(int exitCode, String stdout, String stderr, boolean timedOut, Duration took) {}
