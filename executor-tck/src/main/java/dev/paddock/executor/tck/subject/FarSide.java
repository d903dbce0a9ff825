package dev.paddock.executor.tck.subject;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;

/**
 * The suite's hands on the files of the place where commands run. A place that shares a directory
 * with the host needs none of its own: the suite's default goes by that directory. A place elsewhere,
 * on another kernel or another machine, implements it over whatever reaches the place, but not over
 * the executor under test.
 *
 * <p>Paths are those of the commands, absolute. Files that are created here may be read and written by
 * the commands, whichever user they run as. Thread-safe.
 *
 * @since 0.1
 */
public interface FarSide {
    /**
     * Creates a directory, and those above it that are missing.
     *
     * @param path of the directory
     * @throws IOException if it cannot be created
     */
    void makeDirectory(String path) throws IOException;

    /**
     * Reads a file.
     *
     * @param path of the file
     * @return its content
     * @throws java.nio.file.NoSuchFileException if it does not exist
     * @throws IOException if it cannot be read
     */
    byte[] read(String path) throws IOException;

    /**
     * Creates or replaces a file.
     *
     * @param path of the file
     * @param content the file's content
     * @throws IOException if it cannot be written
     */
    void write(String path, byte[] content) throws IOException;

    /**
     * Creates a named pipe that every command may open: one that reads it blocks until {@link
     * Pipe#release}.
     *
     * @param path of the pipe, at which nothing exists
     * @return the pipe
     * @throws IOException if it cannot be created
     */
    Pipe holdOpen(String path) throws IOException;

    /**
     * Creates a named pipe that every command may open for writing, and reads it.
     *
     * @param path of the pipe, at which nothing exists
     * @return delivers what processes write to the pipe, as it arrives; ends when at least one process
     *     had the pipe open, and the last that had has ended or closed it. Closing the stream from
     *     another thread ends a read that waits
     * @throws IOException if it cannot be created
     */
    InputStream watch(String path) throws IOException;

    /** A named pipe that the suite releases. */
    interface Pipe extends Closeable {
        /**
         * Writes a line, and holds the pipe open until it is closed: a command that reads the pipe
         * later finds the line.
         *
         * @throws IOException if the pipe cannot be reached
         */
        void release() throws IOException;

        /**
         * Releases the processes that wait for the pipe, and lets go of it.
         *
         * @throws IOException if the pipe cannot be reached
         */
        @Override
        void close() throws IOException;
    }
}
