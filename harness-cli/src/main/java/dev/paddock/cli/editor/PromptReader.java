package dev.paddock.cli.editor;

import java.io.IOException;
import org.jline.reader.impl.LineReaderImpl;
import org.jline.terminal.Terminal;
import org.jline.utils.Display;

/** JLine's reader, which can begin its lines anew on a terminal that has been resized. */
final class PromptReader extends LineReaderImpl {

    PromptReader(Terminal terminal) throws IOException {
        super(terminal, "paddock");
    }

    /**
     * Draws the lines again from the cursor's position, in the terminal's current size. JLine itself
     * would take its old position for one of the new width. Called while a line is read, by a widget.
     */
    void beginAnew() {
        size.copy(terminal.getBufferSize());
        display = new Display(terminal, false);
        display.resize(size.getRows(), size.getColumns());
        redisplay(true);
    }
}
