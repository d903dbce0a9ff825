package dev.paddock.benchmarks.row;

import java.io.IOException;
import java.io.InputStream;

/** Reads a command's output in the same way in every row. */
public final class OutputReader {
    private static final int BLOCK = 8192;

    private OutputReader() {}

    /**
     * Reads both streams to their end.
     *
     * @return the time at which the first stream had data, or ended; by {@link System#nanoTime}
     */
    public static long drain(InputStream stdout, InputStream stderr) throws IOException {
        byte[] block = new byte[BLOCK];
        int count = stdout.read(block);
        long first = System.nanoTime();
        while (count >= 0) {
            count = stdout.read(block);
        }
        while (stderr.read(block) >= 0) {
            // standard error is discarded: the exit status counts
        }
        return first;
    }
}
