package dev.paddock.executor.observe;

/**
 * How many bytes of a command's output its caller has read.
 *
 * @param stdout bytes of standard output
 * @param stderr bytes of standard error; 0 if it is merged into standard output
 * @param complete whether the caller has read both streams to their ends
 * @since 0.1
 */
public record OutputCount(long stdout, long stderr, boolean complete) {}
