package dev.paddock.executor.remote;

import dev.paddock.executor.SandboxLostException;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.OptionalInt;

/**
 * A process that an executor has started in a place, reached by byte streams: its input, its output
 * and its end.
 *
 * <p>Thread-safe: one thread delivers the output, while others write the input or close the channel.
 */
public interface ShellChannel extends Closeable {
    /** The number of standard output. */
    int STDOUT = 1;

    /** The number of standard error. */
    int STDERR = 2;

    /** Receives pieces of output, in the order of each stream. */
    @FunctionalInterface
    interface Output {
        /**
         * Takes a piece. The channel reads no further meanwhile: a receiver that blocks holds up the
         * process.
         *
         * @param stream {@link #STDOUT} or {@link #STDERR}
         * @param bytes begins with the piece; the channel uses it again when this returns
         * @param length of the piece, in bytes
         * @throws IOException to give up the channel
         */
        void accept(int stream, byte[] bytes, int length) throws IOException;
    }

    /**
     * Returns the process's standard input, unbuffered. Not to be closed: {@link #endInput} does that.
     *
     * @return the stream, the same each time
     */
    OutputStream input();

    /**
     * Ends the standard input, while output still comes.
     *
     * @throws IOException if the connection has failed
     */
    void endInput() throws IOException;

    /**
     * Delivers the output until both streams have ended, on the calling thread. To be called once.
     *
     * @param output receives it
     * @throws IOException if the connection fails, is closed, or the receiver gives up
     */
    void deliver(Output output) throws IOException;

    /**
     * Returns the exit code that the place has recorded. Asks the place.
     *
     * @return 0 to 255; empty while the process runs, or if the place has forgotten it
     * @throws dev.paddock.executor.ExecutorException if the place cannot be asked
     */
    OptionalInt exitCode();

    /**
     * Makes the exception by which the executor reports that the place is lost.
     *
     * @param reason what happened
     * @param cause what it was noticed by
     * @return the exception, to be thrown
     */
    SandboxLostException loss(String reason, Throwable cause);

    /**
     * Closes the connection: a blocked read or write ends with an exception, and the process sees the
     * end of its input.
     */
    @Override
    void close();
}
