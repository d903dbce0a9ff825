package dev.paddock.benchmarks.measure;

import java.util.Map;

/**
 * What the rows of a suite did.
 *
 * @param rows by their names; those that failed are not among them
 */
public record SuiteResult(Map<String, Samples> rows) {

    /** What a row did; nothing, if it was not measured. */
    public Samples of(String row) {
        return rows.getOrDefault(row, new Samples());
    }
}
