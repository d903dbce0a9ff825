package dev.paddock.cli.editor;

import dev.paddock.cli.terminal.Style;
import java.io.IOException;
import org.jline.reader.impl.LineReaderImpl;
import org.jline.terminal.Terminal;
import org.jline.utils.Display;

/** JLine's reader, which can begin its lines anew on a terminal that has been resized. */
final class PromptReader extends LineReaderImpl {

    PromptReader(Terminal terminal) throws IOException {
        super(terminal, "paddock");
    }

    /** Shows the prompt that has been set, if a line is being read; else the next line shows it. */
    void showPrompt() {
        try {
            callWidget(REDISPLAY);
        } catch (IllegalStateException endedMeanwhile) {
            return;
        }
    }

    /**
     * Draws the lines anew in the terminal's current size. JLine itself would take its old position
     * for one of the new width, and leave parts of the old lines. Called while a line is read, by a
     * widget.
     *
     * @param prompt the prompt that is on the terminal
     * @param width the terminal's width, in columns
     * @return true, as widgets do
     */
    boolean redraw(String prompt, int width) {
        String[] lines = (prompt + getBuffer().upToCursor()).split("\n", -1);
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
