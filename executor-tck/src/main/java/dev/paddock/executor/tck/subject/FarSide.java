package dev.paddock.executor.tck.subject;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;

/**
 * The suite's access to the files where commands run. A sandbox that shares a directory
 * with the host needs no implementation: the suite's default uses that directory. For commands
 * on another kernel or machine, implement it over another connection than
 * the executor under test.
 *
 * <p>Paths are those of the commands, absolute. Files that are created here may be read and written by
 * the commands, whichever user they run as. Thread-safe.
 *
 * @since 0.1
 */
public interface FarSide {
    /**
     * Creates a directory and missing parents.
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
     *     had the pipe open, and the last such process has exited or closed it. Closing the stream from
     *     another thread ends a blocked read
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
         * Releases the processes that wait for the pipe, and closes it.
         *
         * @throws IOException if the pipe cannot be reached
         */
        @Override
        void close() throws IOException;
    }
}
