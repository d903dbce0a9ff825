package dev.paddock.benchmarks.measure;

import dev.paddock.benchmarks.row.Row;
import java.io.IOException;

/**
 * Runs a row's turn in a round, and collects its figures.
 *
 * @param round below 0 during the warm-up, whose figures are dropped
 */
public record Turn(Row row, int round, Samples samples, QuiescenceWait quiet) {

    /** The measurement that is made in each turn. */
    @FunctionalInterface
    public interface Sampling {
        /**
         * Measures the row.
         *
         * @throws IOException if it fails; the row is then left out of the further measuring
         */
        void take(Turn turn) throws IOException;
    }

    /** Waits until a sample may start. */
    public void await() {
        quiet.await(row.settling());
    }

    public void nanos(String what, long nanos) {
        value(what, nanos / 1e6);
    }

    public void value(String what, double value) {
        if (round >= 0) {
            samples.add(what, round, value);
        }
    }
}
