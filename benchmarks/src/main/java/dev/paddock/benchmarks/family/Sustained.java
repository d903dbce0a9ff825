package dev.paddock.benchmarks.family;

import dev.paddock.benchmarks.measure.ConcurrentCallers;
import dev.paddock.benchmarks.measure.Family;
import dev.paddock.benchmarks.measure.Samples;
import dev.paddock.benchmarks.measure.Scope;
import dev.paddock.benchmarks.measure.Suite;
import dev.paddock.benchmarks.measure.SuiteResult;
import dev.paddock.benchmarks.measure.Table;
import dev.paddock.benchmarks.row.Catalogue;
import dev.paddock.benchmarks.row.Row;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Measures commands one after the other without a pause, faster than warm slots are made: each row
 * runs for a second in its turn.
 */
final class Sustained implements Family {
    private static final int CALLERS = 4;
    private static final long SLICE_NANOS = TimeUnit.SECONDS.toNanos(1);

    @Override
    public String name() {
        return "sustained";
    }

    @Override
    public Table measure(Scope scope) {
        Table table = new Table(
                name(),
                "'true' without a pause between, commands a second; more is better, of the ratios too",
                "one caller",
                "four callers",
                "one, rate ÷ plain's",
                "four, rate ÷ plain's");
        try (Suite suite = Suite.open(scope.rows(Catalogue.SIDE_BY_SIDE), scope.place());
                ConcurrentCallers callers = new ConcurrentCallers(CALLERS)) {
            SuiteResult measured = suite.measure(1, scope.rounds(3, 10), turn -> {
                turn.await();
                turn.value("one", rate(turn.row(), callers, 1));
                turn.await();
                turn.value("four", rate(turn.row(), callers, CALLERS));
            });
            Samples plain = measured.of(Catalogue.PLAIN);
            table.fill(
                    suite,
                    measured,
                    "one",
                    (entry, samples) -> List.of(
                            samples.of("one").p50(),
                            samples.of("four").p50(),
                            samples.of("one").ratio(plain.of("one")),
                            samples.of("four").ratio(plain.of("four"))));
        }
        return table;
    }

    /** Returns the number of commands per second. */
    private static double rate(Row row, ConcurrentCallers callers, int number) throws IOException {
        long start = System.nanoTime();
        List<Integer> done = callers.all(number, () -> {
            int commands = 0;
            while (System.nanoTime() - start < SLICE_NANOS) {
                row.run("true");
                commands++;
            }
            return commands;
        });
        return done.stream().mapToInt(Integer::intValue).sum() * 1e9 / (System.nanoTime() - start);
    }
}
