package dev.paddock.cli.editor;

import dev.paddock.cli.terminal.Printable;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Passes text on in whole lines, so that messages do not break the line being typed. */
final class ErrorLines extends OutputStream {
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final Consumer<String> printer;

    ErrorLines(Consumer<String> printer) {
        this.printer = printer;
    }

    @Override
    public synchronized void write(int one) {
        if (one == '\n') {
            printer.accept(Printable.text(line.toString(StandardCharsets.UTF_8)));
            line.reset();
        } else {
            line.write(one);
        }
    }
}
