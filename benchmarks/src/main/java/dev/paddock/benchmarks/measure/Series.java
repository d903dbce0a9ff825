package dev.paddock.benchmarks.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleBinaryOperator;

/** Holds the samples of one row, each with the round that it was taken in. */
public final class Series {
    /** With fewer samples the 95th percentile is merely the largest one. */
    private static final int ENOUGH = 20;

    private final List<Integer> rounds = new ArrayList<>();
    private final List<Double> values = new ArrayList<>();

    public void add(int round, double value) {
        rounds.add(round);
        values.add(value);
    }

    public int size() {
        return values.size();
    }

    /** Returns the median; NaN without samples. */
    public double p50() {
        return quantile(values, 0.5);
    }

    /** Returns the value that 95 of 100 samples do not exceed; NaN if there are fewer than 20. */
    public double p95() {
        return values.size() < ENOUGH ? Double.NaN : quantile(values, 0.95);
    }

    /** Returns the mean; NaN without samples. */
    public double mean() {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
    }

    /**
     * Returns the median of the ratios to another row's samples, pair by pair: each round has a
     * sample of both.
     */
    public double ratio(Series other) {
        return pairByPair(other, (own, others) -> own / others);
    }

    /** Returns the median of the differences from another row's samples, pair by pair. */
    public double difference(Series other) {
        return pairByPair(other, (own, others) -> own - others);
    }

    private double pairByPair(Series other, DoubleBinaryOperator compared) {
        List<Double> results = new ArrayList<>();
        for (int index = 0; index < rounds.size(); index++) {
            int counterpart = other.rounds.indexOf(rounds.get(index));
            if (counterpart >= 0) {
                results.add(compared.applyAsDouble(values.get(index), other.values.get(counterpart)));
            }
        }
        return quantile(results, 0.5);
    }

    /** Returns the smallest value that at least the given share of the samples does not exceed. */
    private static double quantile(List<Double> values, double part) {
        if (values.isEmpty()) {
            return Double.NaN;
        }
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return sorted[Math.max(0, (int) Math.ceil(part * sorted.length) - 1)];
    }
}
