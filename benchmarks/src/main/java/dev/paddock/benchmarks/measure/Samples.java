package dev.paddock.benchmarks.measure;

import java.util.HashMap;
import java.util.Map;

/** Holds the samples of one row: a series for each quantity that was measured. */
public final class Samples {
    private final Map<String, Series> series = new HashMap<>();

    void add(String what, int round, double value) {
        series.computeIfAbsent(what, name -> new Series()).add(round, value);
    }

    /** Returns the series with that name; an empty one if there is none. */
    public Series of(String what) {
        return series.getOrDefault(what, new Series());
    }
}
