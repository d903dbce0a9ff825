package dev.paddock.benchmarks.measure;

import java.util.Map;

/**
 * Holds the samples of a suite's rows.
 *
 * @param rows the samples by the rows' names; rows that failed are not among them
 */
public record SuiteResult(Map<String, Samples> rows) {

    /** Returns the samples of a row; empty if it was not measured. */
    public Samples of(String row) {
        return rows.getOrDefault(row, new Samples());
    }
}
