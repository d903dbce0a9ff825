package dev.paddock.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Commands that are started at once: the time until the last has ended. */
final class Parallel implements Family {
    private static final List<Integer> AT_ONCE = List.of(1, 8, 64);

    @Override
    public String name() {
        return "parallel";
    }

    @Override
    public Table measure(Scope scope) throws IOException {
        Table table = new Table(
                name(),
                "'true', so many at once, until all have ended",
                "64, ms, p50",
                "8, ms, p50",
                "1, ms, p50",
                "64 ÷ plain");
        int rounds = scope.ifQuick(5, 20);
        for (Entry entry : scope.rows(Catalogue.SIDE_BY_SIDE)) {
            table.add(entry.name(), entry.label(), () -> {
                try (Row row = entry.opening().open(scope.place());
                        ExecutorService callers = Executors.newFixedThreadPool(AT_ONCE.getLast())) {
                    List<Double> figures = new ArrayList<>();
                    for (int number : AT_ONCE.reversed()) {
                        figures.add(median(row, callers, number, rounds));
                    }
                    return figures;
                }
            });
        }
        table.divide(0, Catalogue.PLAIN);
        return table;
    }

    private static double median(Row row, ExecutorService callers, int number, int rounds) throws IOException {
        Series series = new Series();
        Quiet quiet = new Quiet();
        for (int round = -2; round < rounds; round++) {
            quiet.await();
            long took = atOnce(row, callers, number);
            if (round >= 0) {
                series.add(round, took);
            }
        }
        return series.quantile(0.5);
    }

    private static long atOnce(Row row, ExecutorService callers, int number) throws IOException {
        List<Callable<Row.Times>> commands = new ArrayList<>();
        for (int each = 0; each < number; each++) {
            commands.add(() -> row.run("true"));
        }
        long start = System.nanoTime();
        try {
            for (Future<Row.Times> done : callers.invokeAll(commands)) {
                done.get();
            }
        } catch (ExecutionException fault) {
            throw new IOException(fault.getCause() == null ? fault : fault.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("stopped", stopped);
        }
        return System.nanoTime() - start;
    }
}
