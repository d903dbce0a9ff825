package dev.paddock.executor.tck.context;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Helpers that need a POSIX host. */
public final class Posix {
    private Posix() {}

    /**
     * Releases processes that block on a named pipe: for a writer to open it, or for a line.
     * Opening it in both directions never blocks, and closing it is the end of file for readers.
     */
    static void release(Path pipe) throws IOException {
        try (RandomAccessFile bothWays = new RandomAccessFile(pipe.toFile(), "rw")) {
            bothWays.write('\n');
        }
    }

    /** Creates a named pipe that every user may open. */
    public static void mkfifo(Path path) throws IOException {
        Process mkfifo = new ProcessBuilder("mkfifo", "-m", "666", path.toString())
                .redirectErrorStream(true)
                .start();
        mkfifo.getOutputStream().close();
        String output = new String(mkfifo.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (mkfifo.waitFor() != 0) {
                throw new IOException("mkfifo " + path + " failed: " + output);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while making the named pipe " + path, stopped);
        }
    }
}
