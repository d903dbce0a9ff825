package dev.paddock.benchmarks;

import java.util.Map;

/**
 * What the rows of a suite did.
 *
 * @param rows by their names; those that failed are not among them
 */
record Measured(Map<String, Samples> rows) {

    /** What a row did; nothing, if it was not measured. */
    Samples of(String row) {
        return rows.getOrDefault(row, new Samples());
    }
}
