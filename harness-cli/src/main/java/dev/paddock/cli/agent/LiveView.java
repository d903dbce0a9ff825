package dev.paddock.cli.agent;

import dev.paddock.cli.sessions.CallText;
import dev.paddock.cli.terminal.Canvas;
import dev.paddock.cli.terminal.Printable;
import dev.paddock.cli.terminal.Style;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.events.SessionListener;
import dev.paddock.harness.tools.ToolCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * Shows a session live on a terminal. Finished output scrolls; the lines below it are redrawn: the assistant's current
 * line, each running tool with its last line of output, and the time and the tokens.
 */
final class LiveView implements SessionListener, AutoCloseable {
    private static final int MAX_ROWS = 6;
    private static final Duration REDRAW = Duration.ofMillis(120);

    private final Canvas canvas;
    private final Style style;
    private final UsageSummary tally;
    private final Function<SessionEvent, List<String>> header;
    private final Markdown markdown;
    private final EndedCall endedCall;
    private final Thread clock = new Thread(this::tick, "paddock-view");
    private final Map<String, Row> rows = new LinkedHashMap<>();
    private final StringBuilder writing = new StringBuilder();
    private final List<String> finished = new ArrayList<>();
    private boolean isAtWork;
    private String waiting = "";

    /**
     * Creates a view that shows nothing yet.
     *
     * @param header returns the lines that introduce the session, when it starts, and the workspace, when it is opened
     */
    LiveView(Canvas canvas, Style style, UsageSummary tally, Function<SessionEvent, List<String>> header) {
        this.canvas = canvas;
        this.style = style;
        this.tally = tally;
        this.header = header;
        this.markdown = new Markdown(style);
        this.endedCall = new EndedCall(style);
        clock.setDaemon(true);
        clock.start();
    }

    /** A running tool. */
    private static final class Row {
        private final ToolCall call;
        private final long startedAt = System.nanoTime();
        private String text = "";

        Row(ToolCall call) {
            this.call = call;
        }
    }

    @Override
    public synchronized void onEvent(SessionEvent event) {
        switch (event) {
            case SessionEvent.SessionStarted started -> {
                finished.addAll(header.apply(started));
                started.problems()
                        .forEach(
                                problem -> finished.addAll(markdown.plain("left out: " + problem, canvas.width() - 1)));
            }
            case SessionEvent.WorkspaceOpened opened -> finished.addAll(header.apply(opened));
            case SessionEvent.RunStarted started -> isAtWork = true;
            case SessionEvent.TurnStarted started -> waiting = "";
            case SessionEvent.TurnRetried retried -> {
                writing.setLength(0);
                markdown.reset();
                waiting = retrying(retried);
                finished.addAll(markdown.plain(retried.reason(), canvas.width() - 1).stream()
                        .map(style::bad)
                        .toList());
            }
            case SessionEvent.TextReceived text -> say(text.delta());
            case SessionEvent.ToolStarted started -> {
                finishLine();
                rows.put(started.call().id(), new Row(started.call()));
            }
            case SessionEvent.ToolUpdated updated -> {
                Row row = rows.get(updated.call().id());
                if (row != null) {
                    row.text = updated.textSoFar();
                }
            }
            case SessionEvent.ToolEnded ended -> {
                finishLine();
                rows.remove(ended.call().id());
                finished.addAll(endedCall.lines(ended, canvas.width()));
            }
            case SessionEvent.TurnEnded ended -> {
                finishLine();
                markdown.reset();
            }
            case SessionEvent.RunEnded ended -> {
                finishLine();
                markdown.reset();
                isAtWork = false;
            }
            default -> {}
        }
        draw();
    }

    private void say(String delta) {
        waiting = "";
        writing.append(delta);
        int end = writing.indexOf("\n");
        while (end >= 0) {
            finished.addAll(markdown.line(writing.substring(0, end), canvas.width() - 1));
            writing.delete(0, end + 1);
            end = writing.indexOf("\n");
        }
    }

    private void finishLine() {
        if (!writing.isEmpty()) {
            finished.addAll(markdown.line(writing.toString(), canvas.width() - 1));
            writing.setLength(0);
        }
    }

    /**
     * Draws the current lines, each shorter than the terminal is wide, so that none is broken and they can be counted.
     */
    private void draw() {
        List<String> shown = List.copyOf(finished);
        finished.clear();
        canvas.draw(shown, isAtWork ? live(canvas.width()) : List.of());
    }

    private List<String> live(int width) {
        List<String> lines = new ArrayList<>();
        if (!writing.isEmpty()) {
            lines.add(Printable.end(writing.toString(), width - 1));
        }
        rows.values().stream().limit(MAX_ROWS).forEach(row -> lines.add(line(row, width)));
        if (rows.size() > MAX_ROWS) {
            lines.add(Printable.line("  and " + (rows.size() - MAX_ROWS) + " more", width - 1));
        }
        String state = waiting.isEmpty() ? tally.line() : tally.line() + ", " + waiting;
        String stop = " (" + canvas.stopKey() + " stops)";
        lines.add(style.dim(Printable.line("- " + state + stop, width - 1)));
        return lines;
    }

    private String line(Row row, int width) {
        String elapsed = seconds(Duration.ofNanos(System.nanoTime() - row.startedAt));
        String head = Printable.line(
                "  " + row.call.name() + "  " + elapsed + "  "
                        + CallText.subject(row.call).orElse(""),
                Math.max(10, width / 2));
        String tail = row.text.strip().lines().reduce((before, last) -> last).orElse("");
        int room = width - 3 - Style.columns(head);
        return tail.isEmpty() || room < 5 ? head : head + style.dim("  " + Printable.end(tail, room));
    }

    /** Describes the delay before a retry, its number, and the limit of attempts. */
    static String retrying(SessionEvent.TurnRetried retried) {
        return "retrying in " + seconds(retried.delay()) + " (" + retried.attempt() + " of " + retried.attempts() + ")";
    }

    static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1e3);
    }

    private void tick() {
        try {
            while (true) {
                Thread.sleep(REDRAW);
                redraw();
            }
        } catch (InterruptedException closed) {
            return;
        }
    }

    private synchronized void redraw() {
        if (isAtWork) {
            draw();
        }
    }

    /** Erases the drawn lines from the terminal. */
    @Override
    public synchronized void close() {
        clock.interrupt();
        isAtWork = false;
        finishLine();
        draw();
        canvas.close();
    }
}
