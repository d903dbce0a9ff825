package dev.paddock.benchmarks;

import java.io.IOException;

/**
 * A row's turn in a round, and where its figures go.
 *
 * @param round below 0 while everything warms up; what is noted then is forgotten
 */
record Turn(Row row, int round, Samples samples, Quiet quiet) {

    /** What is done in each turn. */
    @FunctionalInterface
    interface Sampling {
        /**
         * Measures the row.
         *
         * @throws IOException if it fails, which ends its part in the measuring
         */
        void take(Turn turn) throws IOException;
    }

    /** Waits until a sample may start. */
    void await() {
        quiet.await(row.settling());
    }

    void nanos(String what, long nanos) {
        value(what, nanos / 1e6);
    }

    void value(String what, double value) {
        if (round >= 0) {
            samples.add(what, round, value);
        }
    }
}
