package dev.paddock.executor.config;

/**
 * One result of a check.
 *
 * @param subject what was checked: {@code backend}, {@code limits.memory}
 * @param ok whether it can be used
 * @param detail what was found, for people
 * @param remedy how to fix it, for people; empty if nothing needs fixing or no remedy is known
 * @since 0.1
 */
public record Finding(String subject, boolean ok, String detail, String remedy) {}
