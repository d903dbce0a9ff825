package dev.paddock.cli.agent;

import dev.paddock.cli.terminal.Printable;
import dev.paddock.cli.terminal.Style;
import dev.paddock.harness.events.SessionEvent;
import dev.paddock.harness.events.SessionListener;
import dev.paddock.harness.tools.ToolCall;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * Shows a session live on a terminal. Finished output scrolls; below it, redrawn as time passes,
 * are the line that the assistant is writing, each running tool with its last line of output, and
 * one line with the time and the tokens.
 */
final class LiveView implements SessionListener, AutoCloseable {
    private static final int TAIL_LINES = 8;
    private static final int MOST_ROWS = 6;
    private static final Duration REDRAW = Duration.ofMillis(120);
    private static final String MARGIN = "    ";

    private final PrintStream out;
    private final Style style;
    private final IntSupplier terminalWidth;
    private final Thread clock = new Thread(this::tick, "paddock-view");
    private final Map<String, Row> rows = new LinkedHashMap<>();
    private final StringBuilder writing = new StringBuilder();
    private final UsageSummary tally;
    private int width;
    private volatile boolean isResized;
    private List<String> drawn = List.of();
    private boolean isAtWork;
    private String waiting = "";

    /**
     * Makes a view that shows nothing yet.
     *
     * @param terminalWidth returns how many columns the terminal has; called at first, and after
     *     the terminal has been resized
     */
    LiveView(PrintStream out, Style style, UsageSummary tally, IntSupplier terminalWidth) {
        this.out = out;
        this.style = style;
        this.tally = tally;
        this.terminalWidth = terminalWidth;
        this.width = terminalWidth.getAsInt();
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
        erase();
        switch (event) {
            case SessionEvent.SessionStarted started ->
                started.problems().forEach(problem -> out.println(style.bad("left out: ") + Printable.text(problem)));
            case SessionEvent.RunStarted started -> isAtWork = true;
            case SessionEvent.TurnStarted started -> waiting = "";
            case SessionEvent.TurnRetried retried -> {
                writing.setLength(0);
                waiting = "waits " + seconds(retried.delay()) + ": " + retried.reason();
                out.println(style.bad(Printable.text(retried.reason())));
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
            case SessionEvent.ToolEnded ended -> end(ended);
            case SessionEvent.TurnEnded ended -> finishLine();
            case SessionEvent.RunEnded ended -> {
                finishLine();
                isAtWork = false;
            }
            default -> {}
        }
        draw();
    }

    private void say(String delta) {
        waiting = "";
        writing.append(delta);
        int lastLine = writing.lastIndexOf("\n") + 1;
        if (lastLine > 0) {
            out.print(Printable.text(writing.substring(0, lastLine)));
            writing.delete(0, lastLine);
        }
    }

    private void finishLine() {
        if (!writing.isEmpty()) {
            out.println(Printable.text(writing.toString()));
            writing.setLength(0);
        }
    }

    private void end(SessionEvent.ToolEnded ended) {
        finishLine();
        rows.remove(ended.call().id());
        boolean isError = ended.result().isError();
        String outcome = isError ? style.bad("failed") : style.good("done");
        String head = "  " + ended.call().name() + "  " + Screen.subject(ended.call());
        String line = Printable.line(head, width - 16);
        out.println(style.bold(line) + "  " + outcome + style.dim(" " + seconds(ended.took())));
        List<String> lines =
                Printable.text(ended.result().text().strip()).lines().toList();
        int from = Math.max(0, lines.size() - (ended.call().name().equals("bash") || isError ? TAIL_LINES : 2));
        if (from > 0) {
            out.println(style.dim(MARGIN + "… " + from + " lines"));
        }
        for (String one : lines.subList(from, lines.size())) {
            out.println(style.dim(MARGIN + Printable.line(one, width - MARGIN.length() - 1)));
        }
    }

    /** Records that the terminal has been resized; the next redraw reads the new width. */
    void resized() {
        isResized = true;
    }

    /**
     * Erases the drawn lines. A terminal that has become narrower has broken them into more lines.
     */
    private void erase() {
        if (!drawn.isEmpty()) {
            int up = drawn.stream()
                            .mapToInt(line -> 1 + (columns(line) - 1) / width)
                            .sum()
                    - 1;
            out.print("\r" + (up > 0 ? "\u001b[" + up + "A" : "") + "\u001b[J");
            drawn = List.of();
        }
    }

    private static int columns(String line) {
        return Math.max(
                1,
                line.replaceAll("\u001b\\[\\d*m", "")
                        .codePoints()
                        .map(Printable::width)
                        .sum());
    }

    /**
     * Draws the current lines, each shorter than the terminal is wide, so that none is broken and
     * they can be counted.
     */
    private void draw() {
        if (isAtWork) {
            List<String> lines = new ArrayList<>();
            if (!writing.isEmpty()) {
                lines.add(Printable.end(writing.toString(), width - 1));
            }
            rows.values().stream().limit(MOST_ROWS).forEach(row -> lines.add(line(row)));
            if (rows.size() > MOST_ROWS) {
                lines.add(Printable.line("  and " + (rows.size() - MOST_ROWS) + " more", width - 1));
            }
            String state = waiting.isEmpty() ? tally.line() : tally.line() + ", " + waiting;
            lines.add(style.dim(Printable.line("- " + state + " (Ctrl-C stops)", width - 1)));
            out.print(String.join("\n", lines));
            drawn = lines;
        }
        out.flush();
    }

    private String line(Row row) {
        String elapsed = seconds(Duration.ofNanos(System.nanoTime() - row.startedAt));
        String head = Printable.line(
                "  " + row.call.name() + "  " + elapsed + "  " + Screen.subject(row.call), Math.max(10, width / 2));
        String tail = row.text.strip().lines().reduce((before, last) -> last).orElse("");
        int room = width - 3 - columns(head);
        return tail.isEmpty() || room < 5 ? head : head + style.dim("  " + Printable.end(tail, room));
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
        if (isResized) {
            isResized = false;
            width = terminalWidth.getAsInt();
        }
        if (!drawn.isEmpty()) {
            erase();
            draw();
        }
    }

    /** Erases the drawn lines from the terminal. */
    @Override
    public synchronized void close() {
        clock.interrupt();
        erase();
        finishLine();
        out.flush();
    }
}
