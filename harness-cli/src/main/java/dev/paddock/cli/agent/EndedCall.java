package dev.paddock.cli.agent;

import dev.paddock.cli.sessions.CallText;
import dev.paddock.cli.terminal.DiffText;
import dev.paddock.cli.terminal.Printable;
import dev.paddock.cli.terminal.Style;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.tools.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Shows an ended tool call: one line with its outcome, below it the end of a command's output, an error, or the change
 * of a file.
 */
final class EndedCall {
    private static final int TAIL_LINES = 8;
    private static final int DIFF_LINES = 40;
    private static final int MIN_SUBJECT = 10;
    private static final String MARGIN = "    ";

    private final Style style;
    private final DiffText diffs;

    EndedCall(Style style) {
        this.style = style;
        this.diffs = new DiffText(style);
    }

    List<String> lines(SessionEvent.ToolEnded ended, int width) {
        boolean isError = ended.result().isError();
        Json details = ended.result().details();
        String summary = isError ? "" : summary(ended.call().name(), details);
        String outcome = (isError ? style.bad("failed") : style.good("done"))
                + style.dim(" " + LiveView.seconds(ended.took()) + (summary.isEmpty() ? "" : ", " + summary));
        String head = "  " + ended.call().name() + "  "
                + CallText.subject(ended.call()).orElse("");
        int room = Math.max(MIN_SUBJECT, width - 4 - Style.columns(outcome));
        List<String> lines = new ArrayList<>();
        lines.add(style.bold(Printable.line(head, room)) + "  " + outcome);
        Optional<String> changes = details.text("diff");
        if (!isError && changes.isPresent()) {
            String diff = DiffText.withoutNames(changes.get());
            diffs.lines(diff, DIFF_LINES, width - MARGIN.length() - 1).forEach(line -> lines.add(MARGIN + line));
        } else if (isError || summary.isEmpty()) {
            tail(ended.result().text(), width, lines);
        }
        return lines;
    }

    private void tail(String text, int width, List<String> lines) {
        List<String> output = Printable.text(text.strip()).lines().toList();
        int from = Math.max(0, output.size() - TAIL_LINES);
        if (from > 0) {
            lines.add(style.dim(MARGIN + "… " + from + " lines"));
        }
        for (String one : output.subList(from, output.size())) {
            lines.add(style.dim(MARGIN + Printable.line(one, width - MARGIN.length() - 1)));
        }
    }

    /** Summarizes a file tool's result; empty where the result itself is shown. */
    private static String summary(String tool, Json details) {
        return switch (tool) {
            case "read" ->
                details.get("lastLine")
                        .map(last -> "lines " + details.get("firstLine").orElse(last) + " to " + last)
                        .orElse("");
            case "write" ->
                details.get("bytes")
                        .map(bytes -> (details.flag("created") ? "created, " : "") + bytes + " bytes")
                        .orElse("");
            case "edit" -> details.get("line").map(line -> "line " + line).orElse("");
            case "ls" ->
                details.get("entries").map(entries -> entries + " entries").orElse("");
            case "grep" ->
                details.get("matches").map(matches -> matches + " matches").orElse("");
            default -> "";
        };
    }
}
