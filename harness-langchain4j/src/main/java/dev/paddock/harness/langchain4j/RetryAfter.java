package dev.paddock.harness.langchain4j;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * Reads how long an answer asks the client to wait: {@code Retry-After} in seconds or as a date
 * (RFC 9110), {@code retry-after-ms}.
 */
final class RetryAfter {
    private RetryAfter() {}

    static Optional<Duration> of(HttpHeaders headers) {
        return headers.firstValue("retry-after-ms")
                .flatMap(text -> number(text, 1))
                .or(() -> headers.firstValue("retry-after")
                        .flatMap(text -> number(text, 1000).or(() -> date(text))))
                .filter(wait -> !wait.isNegative() && !wait.isZero());
    }

    private static Optional<Duration> number(String text, int millis) {
        return text.strip().matches("\\d{1,9}(\\.\\d{1,9})?")
                ? Optional.of(Duration.ofMillis(Math.round(Double.parseDouble(text.strip()) * millis)))
                : Optional.empty();
    }

    private static Optional<Duration> date(String text) {
        try {
            Instant then = ZonedDateTime.parse(text.strip(), DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            return Optional.of(Duration.between(Instant.now(), then));
        } catch (DateTimeException neither) {
            return Optional.empty();
        }
    }
}
