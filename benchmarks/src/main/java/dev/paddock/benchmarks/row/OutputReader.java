package dev.paddock.benchmarks.row;

import java.io.IOException;
import java.io.InputStream;

/** Reading what a command writes, the same way in every row. */
public final class OutputReader {
    private static final int BLOCK = 8192;

    private OutputReader() {}

    /** Reads both to their end; the moment at which the first one gave something, or ended. */
    public static long drain(InputStream stdout, InputStream stderr) throws IOException {
        byte[] block = new byte[BLOCK];
        int count = stdout.read(block);
        long first = System.nanoTime();
        while (count >= 0) {
            count = stdout.read(block);
        }
        while (stderr.read(block) >= 0) {
            // what a command complains of is of no interest here; its status is
        }
        return first;
    }
}
