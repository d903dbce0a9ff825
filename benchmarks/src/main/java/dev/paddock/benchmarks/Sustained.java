package dev.paddock.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Commands one after the other without a pause, faster than slots are made. */
final class Sustained implements Family {
    private static final int CALLERS = 4;

    @Override
    public String name() {
        return "sustained";
    }

    @Override
    public Table measure(Scope scope) throws IOException {
        Table table = new Table(
                name(),
                "'true' without a pause between, commands a second",
                "one caller",
                "four callers",
                "one ÷ plain");
        long nanos = TimeUnit.SECONDS.toNanos(scope.ifQuick(1, 5));
        for (Entry entry : scope.rows(Catalogue.SIDE_BY_SIDE)) {
            table.add(entry.name(), entry.label(), () -> {
                try (Row row = entry.opening().open(scope.place());
                        ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
                    rate(row, callers, 1, nanos / 2);
                    return List.of(rate(row, callers, 1, nanos), rate(row, callers, CALLERS, nanos));
                }
            });
        }
        table.divide(0, Catalogue.PLAIN);
        return table;
    }

    private static double rate(Row row, ExecutorService callers, int number, long nanos) throws IOException {
        long start = System.nanoTime();
        Callable<Integer> caller = () -> {
            int done = 0;
            while (System.nanoTime() - start < nanos) {
                row.run("true");
                done++;
            }
            return done;
        };
        List<Callable<Integer>> all = new ArrayList<>();
        for (int each = 0; each < number; each++) {
            all.add(caller);
        }
        int commands = 0;
        try {
            for (Future<Integer> done : callers.invokeAll(all)) {
                commands += done.get();
            }
        } catch (ExecutionException fault) {
            throw new IOException(fault.getCause() == null ? fault : fault.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("stopped", stopped);
        }
        return commands * 1e9 / (System.nanoTime() - start);
    }
}
