package dev.paddock.cli.agent;

import dev.paddock.cli.sessions.CallText;
import dev.paddock.cli.terminal.Printable;
import dev.paddock.cli.terminal.Style;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.events.SessionListener;
import dev.paddock.harness.tools.ToolCall;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;

/**
 * Shows a session's events as lines, as they happen. Of concurrent tool calls, the first is shown live and each other
 * one after those before it have ended, so that their outputs do not mix.
 */
public final class Screen implements SessionListener {
    private static final String MARGIN = "    | ";

    /**
     * How many lines of a file tool's result are shown; the result is for the model. A command's output is shown in
     * full.
     */
    private static final int FILE_LINES = 12;

    private final PrintStream out;
    private final Style style;
    private final Deque<Row> rows = new ArrayDeque<>();
    private boolean isMidLine;

    public Screen(PrintStream out, Style style) {
        this.out = out;
        this.style = style;
    }

    /** A tool call that has not been shown completely. */
    private static final class Row {
        private final ToolCall call;
        private String text = "";
        private int shownLength;
        private int shownLines;
        private Optional<SessionEvent.ToolEnded> end = Optional.empty();

        Row(ToolCall call) {
            this.call = call;
        }
    }

    @Override
    public synchronized void onEvent(SessionEvent event) {
        switch (event) {
            case SessionEvent.TextReceived text -> say(text.delta());
            case SessionEvent.ToolStarted started -> {
                rows.add(new Row(started.call()));
                if (rows.size() == 1) {
                    head(started.call());
                }
            }
            case SessionEvent.ToolUpdated updated -> update(updated.call(), updated.textSoFar());
            case SessionEvent.ToolEnded ended -> end(ended);
            case SessionEvent.TurnEnded ended -> finishLine();
            case SessionEvent.RunEnded ended -> finishLine();
            case SessionEvent.CommandEnded ignored -> {}
            case SessionEvent.SessionStarted started ->
                started.problems().forEach(problem -> out.println(style.bad("left out: ") + Printable.text(problem)));
            case SessionEvent.WorkspaceOpened ignored -> {}
            case SessionEvent.SessionEnded ignored -> {}
            case SessionEvent.RunStarted ignored -> {}
            case SessionEvent.TurnStarted ignored -> {}
            case SessionEvent.TurnRetried retried -> {
                finishLine();
                out.println(style.bad(Printable.text(retried.reason())) + style.dim("; " + LiveView.retrying(retried)));
            }
            case SessionEvent.ThoughtReceived ignored -> {}
            case SessionEvent.MessageAdded ignored -> {}
        }
        out.flush();
    }

    private void say(String delta) {
        out.print(Printable.text(delta));
        isMidLine = true;
    }

    private void finishLine() {
        if (isMidLine) {
            out.println();
            isMidLine = false;
        }
    }

    private void head(ToolCall call) {
        finishLine();
        out.println("  " + style.bold(Printable.text(call.name())) + "  "
                + Printable.text(CallText.subject(call).orElse("")));
    }

    private void update(ToolCall call, String textSoFar) {
        for (Row row : rows) {
            if (row.call.id().equals(call.id())) {
                row.text = textSoFar;
            }
        }
        if (!rows.isEmpty() && rows.getFirst().call.id().equals(call.id())) {
            showLines(rows.getFirst(), false);
        }
    }

    private void end(SessionEvent.ToolEnded ended) {
        for (Row row : rows) {
            if (row.call.id().equals(ended.call().id())) {
                row.text = ended.result().text();
                row.end = Optional.of(ended);
            }
        }
        while (!rows.isEmpty() && rows.getFirst().end.isPresent()) {
            Row row = rows.removeFirst();
            showLines(row, true);
            foot(row.end.get());
            if (!rows.isEmpty()) {
                head(rows.getFirst().call);
                showLines(rows.getFirst(), false);
            }
        }
    }

    /** Shows the new output: whole lines only, and the rest as well at the end. */
    private void showLines(Row row, boolean isEnd) {
        boolean isCommand = row.call.name().equals("bash");
        String fresh = row.text.substring(Math.min(row.shownLength, row.text.length()));
        int upTo = isEnd ? fresh.length() : fresh.lastIndexOf('\n') + 1;
        for (String line : Printable.text(fresh.substring(0, upTo)).lines().toList()) {
            row.shownLines++;
            if (isCommand || row.shownLines <= FILE_LINES) {
                out.println(style.dim(MARGIN) + line);
            }
        }
        row.shownLength += upTo;
        if (isEnd && !isCommand && row.shownLines > FILE_LINES) {
            out.println(style.dim(MARGIN + "(" + (row.shownLines - FILE_LINES) + " more lines)"));
        }
    }

    private void foot(SessionEvent.ToolEnded ended) {
        String outcome = ended.result().isError() ? style.bad("failed") : style.good("done");
        out.println("    " + outcome + style.dim(", " + milliseconds(ended.took())));
    }

    public static String milliseconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f ms", duration.toNanos() / 1e6);
    }
}
