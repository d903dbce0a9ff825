package dev.paddock.benchmarks.family;

import dev.paddock.benchmarks.measure.ConcurrentCallers;
import dev.paddock.benchmarks.measure.Family;
import dev.paddock.benchmarks.measure.Scope;
import dev.paddock.benchmarks.measure.Suite;
import dev.paddock.benchmarks.measure.SuiteResult;
import dev.paddock.benchmarks.measure.Table;
import dev.paddock.benchmarks.row.Catalogue;
import dev.paddock.benchmarks.row.Row;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** Measures commands that are started at the same time: the time until the last has ended. */
final class Parallel implements Family {
    private static final List<Integer> AT_ONCE = List.of(64, 8, 1);
    private static final String TIME = "time";

    @Override
    public String name() {
        return "parallel";
    }

    @Override
    public Table measure(Scope scope) {
        Table table = new Table(
                name(),
                "'true', so many at once, until all have ended",
                "64, ms, p50",
                "8, ms, p50",
                "1, ms, p50",
                "64 ÷ plain",
                "8 ÷ plain",
                "1 ÷ plain");
        try (Suite suite = Suite.open(scope.rows(Catalogue.SIDE_BY_SIDE), scope.place());
                ConcurrentCallers callers = new ConcurrentCallers(AT_ONCE.getFirst())) {
            // One number after the other, so that a row has refilled its warm slots before its next
            // turn.
            List<SuiteResult> measured = AT_ONCE.stream()
                    .map(number -> suite.measure(2, scope.rounds(5, 20), turn -> {
                        turn.await();
                        turn.nanos(TIME, atOnce(turn.row(), callers, number));
                    }))
                    .toList();
            table.fill(suite, measured.getFirst(), TIME, (entry, samples) -> figures(measured, entry.name()));
        }
        return table;
    }

    private static List<Double> figures(List<SuiteResult> measured, String row) {
        Stream<Double> times =
                measured.stream().map(number -> number.of(row).of(TIME).p50());
        Stream<Double> ratios = measured.stream()
                .map(number ->
                        number.of(row).of(TIME).ratio(number.of(Catalogue.PLAIN).of(TIME)));
        return Stream.concat(times, ratios).toList();
    }

    private static long atOnce(Row row, ConcurrentCallers callers, int number) throws IOException {
        long start = System.nanoTime();
        callers.all(number, () -> row.run("true"));
        return System.nanoTime() - start;
    }
}
