package dev.paddock.cli.terminal;

import java.io.PrintStream;
import java.util.List;
import java.util.function.IntSupplier;

/** Erases and redraws the live lines, on a terminal that nobody reads keys from. */
public final class RedrawnLines implements Canvas {
    private final PrintStream out;
    private final IntSupplier terminalWidth;
    private int width;
    private boolean isResized;
    private List<String> drawn = List.of();

    /**
     * Creates a canvas that shows nothing yet.
     *
     * @param terminalWidth returns the terminal's width in columns; called at first, and after the terminal has been
     *     resized
     */
    public RedrawnLines(PrintStream out, IntSupplier terminalWidth) {
        this.out = out;
        this.terminalWidth = terminalWidth;
        this.width = terminalWidth.getAsInt();
    }

    /** Records that the terminal has been resized; the next call reads the new width. */
    public synchronized void resized() {
        isResized = true;
    }

    @Override
    public synchronized int width() {
        if (isResized) {
            isResized = false;
            width = terminalWidth.getAsInt();
        }
        return width;
    }

    @Override
    public synchronized void draw(List<String> finished, List<String> live) {
        erase();
        finished.forEach(line -> out.println(SafePrinter.escaped(line)));
        out.print(SafePrinter.escaped(String.join("\n", live)));
        drawn = live;
        out.flush();
    }

    @Override
    public String stopKey() {
        return "Ctrl-C";
    }

    /** Erases the drawn lines. A terminal that has become narrower has broken them into more lines. */
    private void erase() {
        if (!drawn.isEmpty()) {
            int columns = width();
            int up = drawn.stream()
                            .mapToInt(line -> 1 + (Math.max(1, Style.columns(line)) - 1) / columns)
                            .sum()
                    - 1;
            out.print("\r" + (up > 0 ? "\u001b[" + up + "A" : "") + "\u001b[J");
            drawn = List.of();
        }
    }

    @Override
    public synchronized void close() {
        erase();
        out.flush();
    }
}
