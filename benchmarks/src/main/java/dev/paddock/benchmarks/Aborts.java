package dev.paddock.benchmarks;

import dev.paddock.executor.AbortController;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;

/**
 * From an abort to the end of the last process. That one holds the command's output, which is read to its end, and the executor
 * calls the command settled; the later of both counts.
 */
final class Aborts implements Family {
    private static final Duration GRACE = Duration.ofMillis(100);
    private static final String TREE = "sleep 600 & sleep 600 & echo up; wait";

    @Override
    public String name() {
        return "abort";
    }

    @Override
    public Table measure(Scope scope) throws IOException {
        Table table = new Table(
                name(),
                "abort to the end of a tree of three processes, beyond the grace",
                "ms, p50",
                "p95",
                "deaf, p50",
                "deaf, p95");
        int rounds = scope.ifQuick(20, 100);
        for (Entry entry : scope.rows(Catalogue.WARM)) {
            table.add(entry.name(), entry.label(), () -> {
                try (Row row = entry.opening().open(scope.place())) {
                    Series polite = series((ExecutorRow) row, TREE, rounds);
                    Series deaf = series((ExecutorRow) row, "trap '' TERM; " + TREE, rounds);
                    return List.of(
                            polite.quantile(0.5), polite.quantile(0.95), deaf.quantile(0.5), deaf.quantile(0.95));
                }
            });
        }
        return table;
    }

    private static Series series(ExecutorRow row, String command, int rounds) throws IOException {
        Series series = new Series();
        Quiet quiet = new Quiet();
        boolean deaf = command.startsWith("trap");
        for (int round = -2; round < rounds; round++) {
            long took = abort(row, command, quiet);
            if (round >= 0) {
                series.add(round, Math.max(0, took - (deaf ? GRACE.toNanos() : 0)));
            }
        }
        return series;
    }

    private static long abort(ExecutorRow row, String command, Quiet quiet) throws IOException {
        AbortController controller = new AbortController();
        ProcessLike process = row.executor()
                .spawn(
                        command,
                        SpawnOptions.builder(row.cwd())
                                .signal(controller.signal())
                                .killGrace(GRACE)
                                .build());
        awaitLine(process.stdout());
        quiet.await();
        long start = System.nanoTime();
        controller.abort("measured");
        Streams.drain(process.stdout(), process.stderr());
        process.onSettled().toCompletableFuture().join();
        return System.nanoTime() - start;
    }

    private static void awaitLine(InputStream stdout) throws IOException {
        int next;
        do {
            next = stdout.read();
        } while (next >= 0 && next != '\n');
    }
}
