package dev.paddock.executor.remote;

import dev.paddock.executor.SandboxLostException;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;

/**
 * A process that an executor has started on a remote system, connected by byte streams: its input,
 * its output and its end.
 *
 * <p>Thread-safe: one thread delivers the output, while others write the input or close the
 * channel.
 *
 * @since 0.1
 */
public interface ShellChannel extends Closeable {
    /** The number of standard output. */
    int STDOUT = 1;

    /** The number of standard error. */
    int STDERR = 2;

    /** The most that {@link #readText} accepts, in bytes. */
    int MAX_TEXT = 1 << 20;

    /** Receives pieces of output, in the order of each stream. */
    @FunctionalInterface
    interface Output {
        /**
         * Receives a piece of output. The channel reads on only when this returns: a receiver that blocks exerts
         * back-pressure on the process.
         *
         * @param stream {@link #STDOUT} or {@link #STDERR}
         * @param bytes begins with the piece; the channel reuses the array when this returns
         * @param length of the piece, in bytes
         * @throws IOException to abandon the channel
         */
        void accept(int stream, byte[] bytes, int length) throws IOException;
    }

    /**
     * Returns the process's standard input, unbuffered. Use {@link #endInput} to close it, not the
     * stream's own method.
     *
     * @return the stream, the same each time
     */
    OutputStream input();

    /**
     * Closes the standard input; output can still arrive.
     *
     * @throws IOException if the connection has failed
     */
    void endInput() throws IOException;

    /**
     * Delivers the output on the calling thread until both streams have ended. Call this once.
     *
     * @param output receives it
     * @throws IOException if the connection fails or is closed, or the receiver throws
     */
    void deliver(Output output) throws IOException;

    /**
     * Returns whether another thread reads the connection, so that {@link #deliver} waits for that thread and never for
     * a socket.
     *
     * @return true if a virtual thread costs {@code deliver} nothing; false by default
     */
    default boolean isReadElsewhere() {
        return false;
    }

    /**
     * Delivers the output on the calling thread, as {@link #deliver} does, and drops standard error.
     *
     * @return the standard output, decoded as UTF-8
     * @throws IOException if the connection fails or is closed, or the output is longer than 1 MiB
     */
    default String readText() throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        deliver((stream, bytes, length) -> {
            if (stream != STDOUT) {
                return;
            }
            if (text.size() + length > MAX_TEXT) {
                throw new IOException("a process there wrote more than " + (MAX_TEXT >> 20)
                        + " MiB where a few lines were expected; examine the programs of the image or host");
            }
            text.write(bytes, 0, length);
        });
        return text.toString(StandardCharsets.UTF_8);
    }

    /**
     * Changes the size of the process's terminal.
     *
     * @param columns characters in a line
     * @param rows lines
     * @return true if the terminal has the size; false by default, and for a process that has exited or has no terminal
     */
    default boolean resize(int columns, int rows) {
        return false;
    }

    /**
     * Requests the exit code that the remote system has recorded.
     *
     * @return 0 to 255; empty while the process runs, or if no record of it is left
     * @throws dev.paddock.executor.ExecutorException if the remote system does not answer
     */
    OptionalInt exitCode();

    /**
     * Creates the exception for the loss of the remote system.
     *
     * @param reason what happened
     * @param cause the fault that revealed the loss
     * @return the exception, to be thrown
     */
    SandboxLostException loss(String reason, Throwable cause);

    /**
     * Closes the connection: a blocked read or write ends with an exception, and the process sees
     * the end of its input.
     */
    @Override
    void close();
}
