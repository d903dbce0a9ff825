package dev.paddock.benchmarks.row;

import java.io.IOException;
import java.time.Duration;

/** Runs commands in one way. Closing it ends everything that it keeps for that. */
public interface Row extends AutoCloseable {
    /** A new warm slot is started 3 ms after one was taken and takes 10 ms to make. */
    Duration SETTLING = Duration.ofMillis(15);

    /**
     * Runs a command to its end, and reads both streams to theirs.
     *
     * @throws IOException if its exit code is not 0, or it could not be run: a failure has no
     *     figure
     */
    Times run(String command) throws IOException;

    /** Returns how long after a command the row takes at most to be as ready for the next one. */
    default Duration settling() {
        return SETTLING;
    }

    @Override
    default void close() {}

    /**
     * The times of one command, in nanoseconds.
     *
     * @param firstByte until the first byte of output, or the end of the output
     * @param exit until the status was known and both streams had ended
     */
    record Times(long firstByte, long exit) {}
}
