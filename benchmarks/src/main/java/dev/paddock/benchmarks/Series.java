package dev.paddock.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The samples of one row, one for each round that it took part in, in milliseconds. */
final class Series {
    private final List<Integer> rounds = new ArrayList<>();
    private final List<Double> millis = new ArrayList<>();

    void add(int round, long nanos) {
        rounds.add(round);
        millis.add(nanos / 1e6);
    }

    int size() {
        return millis.size();
    }

    /** The value below which this part of the samples lies, 0 to 1; NaN without samples. */
    double quantile(double part) {
        return quantile(millis, part);
    }

    /** The middle one of the ratios to another row's samples, pair by pair: each round has one of both. */
    double ratio(Series other) {
        List<Double> ratios = new ArrayList<>();
        for (int index = 0; index < rounds.size(); index++) {
            int counterpart = other.rounds.indexOf(rounds.get(index));
            if (counterpart >= 0) {
                ratios.add(millis.get(index) / other.millis.get(counterpart));
            }
        }
        return quantile(ratios, 0.5);
    }

    private static double quantile(List<Double> values, double part) {
        if (values.isEmpty()) {
            return Double.NaN;
        }
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return sorted[Math.min(sorted.length - 1, (int) Math.floor(sorted.length * part))];
    }
}
