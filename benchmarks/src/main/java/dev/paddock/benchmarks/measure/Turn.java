package dev.paddock.benchmarks.measure;

import dev.paddock.benchmarks.row.Row;
import java.io.IOException;

/**
 * A row's turn in a round, and where its figures go.
 *
 * @param round below 0 while everything warms up; what is noted then is forgotten
 */
public record Turn(Row row, int round, Samples samples, QuiescenceWait quiet) {

    /** What is done in each turn. */
    @FunctionalInterface
    public interface Sampling {
        /**
         * Measures the row.
         *
         * @throws IOException if it fails, which ends its part in the measuring
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
