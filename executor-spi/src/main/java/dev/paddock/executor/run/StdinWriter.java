package dev.paddock.executor.run;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Writes a command's standard input.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface StdinWriter {

    /**
     * Writes the input, on a thread of its own; the stream is closed when this method returns or
     * throws. If the command ends first, the run interrupts the thread and closes the stream, and waits
     * for neither.
     *
     * @param in the command's input; a write after the command has closed its end throws, and that
     *     exception is no failure of the run
     * @throws IOException if the input cannot be produced or written
     */
    void writeTo(OutputStream in) throws IOException;
}
