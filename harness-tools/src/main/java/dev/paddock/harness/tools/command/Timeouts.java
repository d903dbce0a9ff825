package dev.paddock.harness.tools.command;

import dev.paddock.harness.tools.Json;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;

/** Parses and formats timeouts as the model names them: a number of seconds. */
public final class Timeouts {
    private static final BigDecimal NANOS_PER_SECOND = BigDecimal.valueOf(1_000_000_000);

    private Timeouts() {}

    /** Returns the requested timeout, or the default. */
    public static Duration of(Optional<Json> given, CommandLimits limits) {
        if (given.isEmpty() || given.get().kind() == Json.Kind.NULL) {
            return limits.defaultTimeout();
        }
        Json argument = given.get();
        double rough = argument.number();
        if (Double.isNaN(rough) || rough <= 0) {
            throw refusal(argument, "is not more than zero", limits);
        }
        if (rough > limits.maximumTimeout().toMillis() / 1000.0 + 1) {
            throw refusal(argument, "is more than this session allows", limits);
        }
        BigDecimal nanos = new BigDecimal(argument.toString()).multiply(NANOS_PER_SECOND);
        Duration timeout = Duration.ofNanos(Math.max(1, nanos.longValue()));
        if (timeout.compareTo(limits.maximumTimeout()) > 0) {
            throw refusal(argument, "is more than this session allows", limits);
        }
        return timeout;
    }

    private static DeniedException refusal(Json argument, String fault, CommandLimits limits) {
        return new DeniedException("timeout " + fault + ": " + argument + ". Give seconds, more than 0 and at most "
                + seconds(limits.maximumTimeout()) + ", or leave it out for "
                + unit(limits.defaultTimeout()) + ". The command was not run.");
    }

    /** Returns the number alone: {@code 5}, {@code 0.5}. */
    public static String seconds(Duration duration) {
        return BigDecimal.valueOf(duration.toNanos(), 9).stripTrailingZeros().toPlainString();
    }

    /** Returns number and unit: {@code 1 second}, {@code 0.5 seconds}. */
    public static String unit(Duration duration) {
        return seconds(duration) + (duration.equals(Duration.ofSeconds(1)) ? " second" : " seconds");
    }
}
