package dev.paddock.benchmarks.measure;

import java.util.HashMap;
import java.util.Map;

/** What one row did: a series for each thing that was measured. */
public final class Samples {
    private final Map<String, Series> series = new HashMap<>();

    void add(String what, int round, double value) {
        series.computeIfAbsent(what, name -> new Series()).add(round, value);
    }

    /** The series of that name; an empty one if there is none. */
    public Series of(String what) {
        return series.getOrDefault(what, new Series());
    }
}
