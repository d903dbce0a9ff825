package dev.paddock.benchmarks.row;

import java.io.IOException;

/**
 * A row of the table.
 *
 * @param name how it is asked for
 * @param label how it is shown
 * @param every one round in so many; dear ones run less often
 */
public record Entry(String name, String label, int every, Opening opening) {

    public Entry(String name, String label, Opening opening) {
        this(name, label, 1, opening);
    }

    /** The same in each round. */
    public Entry inEachRound() {
        return new Entry(name, label, 1, opening);
    }

    /** Another thing to measure, under the same name. */
    public Entry openedBy(Opening other) {
        return new Entry(name, label, every, other);
    }

    /** Makes it ready to run. */
    @FunctionalInterface
    public interface Opening {
        /**
         * Opens it.
         *
         * @return the row, the caller's to close
         * @throws IOException if it cannot be had
         * @throws dev.paddock.executor.ExecutorException likewise
         */
        Row open(BenchmarkWorktree place) throws IOException;
    }
}
