package dev.paddock.benchmarks.row;

import java.io.IOException;

/**
 * A row of the table.
 *
 * @param name the name that selects the row
 * @param label the name that the table shows
 * @param every the row runs in one round out of so many; slow rows run less often
 */
public record Entry(String name, String label, int every, Opening opening) {

    public Entry(String name, String label, Opening opening) {
        this(name, label, 1, opening);
    }

    /** Returns the same entry, run in every round. */
    public Entry inEachRound() {
        return new Entry(name, label, 1, opening);
    }

    /** Returns the same entry, run in one of so many rounds. */
    public Entry onceIn(int rounds) {
        return new Entry(name, label, rounds, opening);
    }

    /** Returns an entry with the same name that measures something else. */
    public Entry openedBy(Opening other) {
        return new Entry(name, label, every, other);
    }

    /** Opens a row, ready to run. */
    @FunctionalInterface
    public interface Opening {
        /**
         * Opens the row.
         *
         * @return the row, the caller's to close
         * @throws IOException if it is not available
         * @throws dev.paddock.executor.ExecutorException likewise
         */
        Row open(BenchmarkWorktree place) throws IOException;
    }
}
