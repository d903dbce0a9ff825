package dev.paddock.benchmarks.row;

import java.io.IOException;
import java.time.Duration;

/** One way to run a command. Closing it ends what it keeps for that. */
public interface Row extends AutoCloseable {
    /** A slot is begun 3 ms after one was taken and is made in ten. */
    Duration SETTLING = Duration.ofMillis(15);

    /**
     * Runs a command to its end, both streams read to theirs.
     *
     * @throws IOException if it did not end with 0, or could not be run: no figure is better than one of a failure
     */
    Times run(String command) throws IOException;

    /** How long after a command it takes at most to be as ready for the next one. */
    default Duration settling() {
        return SETTLING;
    }

    @Override
    default void close() {}

    /**
     * How long it took, in nanoseconds.
     *
     * @param firstByte until something came out, or the end of the output
     * @param exit until the status was known and both streams had ended
     */
    record Times(long firstByte, long exit) {}
}
