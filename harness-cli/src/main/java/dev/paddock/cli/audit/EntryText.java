package dev.paddock.cli.audit;

import dev.paddock.cli.terminal.Printable;
import dev.paddock.harness.audit.AuditException;
import dev.paddock.harness.audit.AuditRecord;
import dev.paddock.harness.audit.store.AuditEntry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** Shows records to people: their texts come from commands, and must not steer a terminal. */
final class EntryText {
    private static final int WIDTH = 100;
    private static final int SECONDS = "2026-03-04T05:06:07".length();
    private static final List<String> COLUMNS = List.of(
            "seq",
            "time",
            "event",
            "id",
            "session",
            "executor",
            "status",
            "code",
            "duration_ms",
            "host",
            "port",
            "allowed",
            "reason",
            "sent_bytes",
            "received_bytes",
            "cwd",
            "command");

    private EntryText() {}

    /** Returns a record in one line. */
    static String line(AuditEntry entry) {
        AuditRecord record;
        try {
            record = entry.record();
        } catch (AuditException changed) {
            return entry.seq() + "  (this is no audit record: 'paddock audit verify')";
        }
        OptionalLong code = record.number("code");
        String outcome = code.isPresent()
                ? Long.toString(code.getAsLong())
                : record.text("status").orElse("-");
        String what = record.text("command")
                .or(() -> record.text("program"))
                .or(() -> connection(record))
                .orElseGet(() -> record.fields().toString());
        return "%6d  %sZ  %-15s  %4s  %-8s  %s"
                .formatted(
                        entry.seq(),
                        AuditRecord.format(record.time()).substring(0, SECONDS),
                        Printable.line(record.event(), 15),
                        outcome,
                        Printable.line(record.text("executor").orElse("-"), 8),
                        Printable.line(what, WIDTH));
    }

    private static Optional<String> connection(AuditRecord record) {
        String port =
                record.number("port").isPresent() ? ":" + record.number("port").getAsLong() : "";
        String reason = record.text("reason").map(text -> ": " + text).orElse("");
        return record.text("host")
                .map(host -> host
                        + port
                        + (record.number("published_at").isPresent()
                                ? " published at "
                                        + record.number("published_at").getAsLong()
                                : "")
                        + (Boolean.TRUE.equals(record.fields().get("allowed"))
                                ? " allowed, " + record.number("sent_bytes").orElse(0) + " bytes sent, "
                                        + record.number("received_bytes").orElse(0) + " received"
                                : " denied")
                        + reason);
    }

    /** Returns all of a record, a field a line. */
    static String full(AuditEntry entry) {
        AuditRecord record = entry.record();
        StringBuilder text = new StringBuilder();
        field(text, "seq", entry.seq());
        field(text, "time", AuditRecord.format(record.time()));
        field(text, "event", record.event());
        field(text, "id", record.id());
        record.session().ifPresent(session -> field(text, "session", session));
        record.caller().forEach((name, value) -> field(text, "caller." + name, value));
        record.fields().forEach((name, value) -> field(text, name, value));
        return text.toString();
    }

    private static void field(StringBuilder text, String name, Object value) {
        List<?> values = value instanceof List<?> list ? list : List.of(value);
        for (Object item : values) {
            text.append("%-16s ".formatted(name))
                    .append(Printable.text(String.valueOf(item)).replace("\n", "\n" + " ".repeat(17)))
                    .append('\n');
        }
    }

    static String csvHeader() {
        return String.join(",", COLUMNS) + "\n";
    }

    /** Returns a record as a line of a table, without the fields that are lists. */
    static String csv(AuditEntry entry) {
        AuditRecord record = entry.record();
        Map<String, Object> fields = record.fields();
        return COLUMNS.stream()
                        .<Object>map(column -> switch (column) {
                            case "seq" -> entry.seq();
                            case "time" -> AuditRecord.format(record.time());
                            case "event" -> record.event();
                            case "id" -> record.id();
                            case "session" -> record.session().orElse("");
                            case "command" ->
                                Optional.ofNullable(fields.get("command")).orElse(fields.getOrDefault("program", ""));
                            default -> fields.getOrDefault(column, "");
                        })
                        .map(value -> cell(String.valueOf(value)))
                        .collect(Collectors.joining(","))
                + "\n";
    }

    /** Quotes a cell, and marks as text one that a spreadsheet would compute. */
    private static String cell(String text) {
        boolean isFormula = !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0;
        String safe = isFormula ? "'" + text : text;
        return safe.matches("[\\w.:/ -]*") ? safe : "\"" + safe.replace("\"", "\"\"") + "\"";
    }
}
