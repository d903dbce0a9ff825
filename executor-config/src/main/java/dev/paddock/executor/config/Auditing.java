package dev.paddock.executor.config;

import java.util.Locale;

/**
 * Says whether commands leave audit records. From the weakest to the strongest.
 *
 * @since 0.1
 */
public enum Auditing {
    /** No command leaves a record. */
    OFF,
    /** Each command leaves a record, if one can be written: no command waits for it, or fails. */
    ON,
    /** No command starts before a record of its start has been written. */
    REQUIRED;

    /**
     * Returns the value with a name.
     *
     * @param text {@code off}, {@code on} or {@code required}
     * @return the value
     * @throws IllegalArgumentException for anything else
     */
    public static Auditing parse(String text) {
        return switch (text) {
            case "off" -> OFF;
            case "on" -> ON;
            case "required" -> REQUIRED;
            default -> throw new IllegalArgumentException("audit is on, required or off, not '" + text + "'");
        };
    }

    /** Returns the name in a file. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
