package dev.paddock.benchmarks.row;

import java.io.IOException;

/** Takes a sample of something that is no command, in each turn. */
public final class TimedRow implements Row {
    private final Sample sample;
    private boolean skipped;

    private TimedRow(Sample sample, boolean isSlow) {
        this.sample = sample;
        skipped = !isSlow;
    }

    /** Does something once. */
    @FunctionalInterface
    public interface Action {
        /** Does nothing. */
        Action NONE = () -> {};

        void run() throws IOException;
    }

    /** Takes a sample. */
    @FunctionalInterface
    public interface Sample {
        /** Returns how long it took, in nanoseconds. */
        long take() throws IOException;
    }

    /** Returns a row that is tried once before it is measured. */
    public static TimedRow of(Sample sample) {
        return new TimedRow(sample, false);
    }

    /** Returns a row that takes so long that it is not tried before. */
    public static TimedRow slow(Sample sample) {
        return new TimedRow(sample, true);
    }

    /** Returns the time of an action; what is done before and after it does not count. */
    public static Sample timing(Action before, Action action, Action after) {
        return () -> {
            before.run();
            long start = System.nanoTime();
            action.run();
            long taken = System.nanoTime() - start;
            after.run();
            return taken;
        };
    }

    /** Takes a sample; the suite's command stands for nothing. */
    @Override
    public Times run(String command) throws IOException {
        if (!skipped) {
            skipped = true;
            return new Times(0, 0);
        }
        long taken = sample.take();
        return new Times(taken, taken);
    }
}
