package dev.paddock.cli.command;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the numbers of a command line: digits and at most one point, so that neither NaN nor 1e9 is a number. */
public final class Numbers {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,12}(?:\\.\\d{1,9})?)(|ms|s|m|h)");

    private Numbers() {}

    /**
     * Parses a number of seconds, or of another unit that follows it: {@code ms}, {@code s}, {@code
     * m} or {@code h}.
     *
     * @throws UsageException if the text is not a number, or not within the range
     */
    public static Duration seconds(Option option, String text, Duration least, Duration most) {
        Matcher given = DURATION.matcher(text);
        if (given.matches()) {
            BigDecimal nanos = new BigDecimal(given.group(1)).multiply(nanosOf(given.group(2)));
            if (nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0) {
                Duration value = Duration.ofNanos(nanos.longValue());
                if (value.compareTo(least) >= 0 && value.compareTo(most) <= 0) {
                    return value;
                }
            }
        }
        throw new UsageException(option.name() + " is a number of seconds from " + plain(least) + " to " + plain(most)
                + ", such as 1.5, or 5m, not '" + text + "'");
    }

    private static BigDecimal nanosOf(String unit) {
        return BigDecimal.valueOf(
                switch (unit) {
                    case "ms" -> 1_000_000L;
                    case "m" -> 60_000_000_000L;
                    case "h" -> 3_600_000_000_000L;
                    default -> 1_000_000_000L;
                });
    }

    /**
     * Parses a whole number.
     *
     * @throws UsageException if the text is not a whole number or does not fit
     */
    private static int whole(Option option, String text) {
        if (text.matches("\\d{1,10}") && Long.parseLong(text) <= Integer.MAX_VALUE) {
            return Integer.parseInt(text);
        }
        throw new UsageException(option.name() + " is a whole number such as 256, not '" + text + "'");
    }

    /**
     * Parses a whole number of at least 1.
     *
     * @throws UsageException if the text is not a whole number, is 0 or does not fit
     */
    public static int positive(Option option, String text) {
        int value = whole(option, text);
        if (value == 0) {
            throw new UsageException(option.name() + " is 1 or more, not 0");
        }
        return value;
    }

    /** Returns a duration in seconds, in decimal notation without an exponent. */
    public static String plain(Duration duration) {
        return BigDecimal.valueOf(duration.toNanos(), 9).stripTrailingZeros().toPlainString();
    }
}
