package dev.paddock.cli.editor;

import dev.paddock.cli.terminal.Style;
import java.io.IOException;
import org.jline.reader.impl.LineReaderImpl;
import org.jline.terminal.Terminal;
import org.jline.utils.Display;
import org.jspecify.annotations.Nullable;

/** JLine's reader, which can redraw its lines on a terminal that has been resized. */
final class PromptReader extends LineReaderImpl {
    private static final String FURTHER_LINES = "  ";

    /** The terminal's content up to the cursor; the prompt may have changed since. */
    private String shown = "";

    PromptReader(Terminal terminal) throws IOException {
        super(terminal, "paddock");
        setVariable(SECONDARY_PROMPT_PATTERN, FURTHER_LINES);
    }

    /** Shows the new prompt now, if a line is being read, or with the next line. */
    void showPrompt() {
        try {
            callWidget(REDISPLAY);
        } catch (IllegalStateException endedMeanwhile) {
            return;
        }
    }

    /** Sets the prompt for the next display. JLine's own method takes no lock, and could change it during a display. */
    @Override
    public void setPrompt(@Nullable String text) {
        lock.lock();
        try {
            super.setPrompt(text);
        } finally {
            lock.unlock();
        }
    }

    @Override
    protected void redisplay(boolean flush) {
        lock.lock();
        try {
            if (!skipRedisplay) {
                shown = prompt + getBuffer().upToCursor().replace("\n", "\n" + FURTHER_LINES);
            }
            super.redisplay(flush);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Redraws the lines in the terminal's current size. JLine itself would interpret its old position in the new width,
     * and leave parts of the old lines. Called by a widget while a line is read.
     *
     * @param width the terminal's width, in columns
     * @return true, as widgets do
     */
    boolean redraw(int width) {
        String[] lines = shown.split("\n", -1);
        int up = 0;
        for (int at = 0; at < lines.length; at++) {
            int columns = Style.columns(lines[at]);
            up += at < lines.length - 1 ? 1 + (Math.max(1, columns) - 1) / width : columns / width;
        }
        terminal.writer().print("\r" + (up > 0 ? "\u001b[" + up + "A" : "") + "\u001b[J");
        beginAnew();
        return true;
    }

    private void beginAnew() {
        size.copy(terminal.getBufferSize());
        display = new Display(terminal, false);
        display.resize(size.getRows(), size.getColumns());
        redisplay(true);
    }
}
