package dev.paddock.executor.config;

/**
 * One result of a check.
 *
 * @param subject what was checked: {@code backend}, {@code limits.memory}
 * @param ok whether it can be used
 * @param detail what was found, for people
 * @param remedy what mends it, for people; empty text if nothing has to be mended or no remedy is known
 * @since 0.1
 */
public record Finding(String subject, boolean ok, String detail, String remedy) {}
