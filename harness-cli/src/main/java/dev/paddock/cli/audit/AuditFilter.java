package dev.paddock.cli.audit;

import dev.paddock.cli.command.Arguments;
import dev.paddock.cli.command.Numbers;
import dev.paddock.cli.command.Option;
import dev.paddock.cli.command.UsageException;
import dev.paddock.harness.audit.AuditRecord;
import dev.paddock.harness.audit.store.AuditQuery;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the options that select records. */
final class AuditFilter {
    static final Option EVENT =
            Option.of("--event", "NAME", "records of this event: command, connection,", "command.started, ...");
    static final Option SESSION = Option.of("--session-id", "ID", "records of this session, one run of paddock");
    static final Option SINCE = Option.of(
            "--since", "TIME", "records from a time on: 2026-03-04,", "2026-03-04T05:06:07Z, or an age: 90m, 12h, 7d");
    static final Option UNTIL = Option.of("--until", "TIME", "records before a time");
    static final Option LIMIT =
            Option.of("--limit", "N", "N records: the newest 50 for list, 1000 for export,", "by default");

    static final List<Option> ALL = List.of(EVENT, SESSION, SINCE, UNTIL, LIMIT);

    private static final Pattern AGE = Pattern.compile("(\\d{1,6})([smhd])");

    /** Paddock's own events; programs may append others. */
    private static final List<String> EVENTS = List.of(
            AuditRecord.COMMAND,
            AuditRecord.COMMAND_STARTED,
            AuditRecord.CONNECTION,
            AuditRecord.CONNECTIONS_OMITTED,
            "binding", // of guest code
            AuditRecord.TOOL_STARTED,
            AuditRecord.TOOL_ENDED,
            AuditRecord.RECORDS_PRUNED,
            AuditRecord.KEY_ROTATED,
            AuditRecord.RECORD_UNREADABLE);

    private AuditFilter() {}

    /** Returns why nothing was found. */
    static String nothing(Arguments arguments) {
        return "no record matches"
                + arguments
                        .value(EVENT)
                        .filter(event -> !EVENTS.contains(event))
                        .map(event ->
                                "; '" + event + "' is no event of Paddock's: there are " + String.join(", ", EVENTS))
                        .orElse("");
    }

    /**
     * Returns the newest records that the options select, the newest first.
     *
     * @param limit how many, unless the options say
     * @throws UsageException if a value is malformed
     */
    static AuditQuery newest(Arguments arguments, int limit, Instant now) {
        AuditQuery query = AuditQuery.newest(limit(arguments).orElse(limit));
        Optional<String> event = arguments.value(EVENT);
        Optional<String> session = arguments.value(SESSION);
        Optional<Instant> since = arguments.value(SINCE).map(text -> time(SINCE, text, now));
        Optional<Instant> until = arguments.value(UNTIL).map(text -> time(UNTIL, text, now));
        query = event.isPresent() ? query.event(event.get()) : query;
        query = session.isPresent() ? query.session(session.get()) : query;
        query = since.isPresent() ? query.since(since.get()) : query;
        return until.isPresent() ? query.until(until.get()) : query;
    }

    static Optional<Integer> limit(Arguments arguments) {
        return arguments.value(LIMIT).map(text -> Numbers.positive(LIMIT, text));
    }

    private static Instant time(Option option, String text, Instant now) {
        Matcher age = AGE.matcher(text);
        if (age.matches()) {
            long number = Long.parseLong(age.group(1));
            return now.minus(
                    switch (age.group(2)) {
                        case "s" -> Duration.ofSeconds(number);
                        case "m" -> Duration.ofMinutes(number);
                        case "h" -> Duration.ofHours(number);
                        default -> Duration.ofDays(number);
                    });
        }
        try {
            return text.length() > 10
                    ? Instant.parse(text)
                    : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
        } catch (DateTimeParseException noTime) {
            throw new UsageException(option.name() + " is a time such as 2026-03-04T05:06:07Z, a day such as"
                    + " 2026-03-04, or an age such as 12h, not '" + text + "'");
        }
    }
}
