package dev.paddock.benchmarks.family;

import dev.paddock.benchmarks.measure.Family;
import dev.paddock.benchmarks.measure.Scope;
import dev.paddock.benchmarks.measure.Suite;
import dev.paddock.benchmarks.measure.SuiteResult;
import dev.paddock.benchmarks.measure.Table;
import dev.paddock.benchmarks.measure.Turn;
import dev.paddock.benchmarks.row.Catalogue;
import dev.paddock.benchmarks.row.ExecutorRow;
import dev.paddock.benchmarks.row.OutputReader;
import dev.paddock.executor.AbortController;
import dev.paddock.executor.ProcessLike;
import dev.paddock.executor.SpawnOptions;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;

/**
 * Measures the time from an abort to the end of the last process.
 *
 * <p>The last process holds the command's output open; the output is read to its end, and the
 * executor reports the command as closed: the later of both counts. Where the command ignores
 * SIGTERM, the grace is subtracted, so that a figure below 0 is a SIGKILL that came too early.
 */
public final class Aborts implements Family {
    private static final Duration GRACE = Duration.ofMillis(100);
    private static final String TREE = "sleep 600 & sleep 600 & echo up; wait";
    private static final String GOAL = "≤ 50";

    @Override
    public String name() {
        return "abort";
    }

    @Override
    public Table measure(Scope scope) {
        Table table = new Table(
                name(),
                "abort to the end of a tree of three processes, beyond the grace",
                "ms, p50",
                "p95",
                "deaf, p50",
                "deaf, p95");
        table.goal("all", "p95", GOAL);
        table.goal("all", "deaf, p95", GOAL);
        try (Suite suite = Suite.open(scope.rows(Catalogue.WARM), scope.place())) {
            SuiteResult measured = suite.measure(2, scope.rounds(20, 100), turn -> {
                turn.nanos("heeded", abort(turn, TREE));
                turn.nanos("deaf", abort(turn, "trap '' TERM; " + TREE) - GRACE.toNanos());
            });
            table.fill(
                    suite,
                    measured,
                    "heeded",
                    (entry, samples) -> List.of(
                            samples.of("heeded").p50(),
                            samples.of("heeded").p95(),
                            samples.of("deaf").p50(),
                            samples.of("deaf").p95()));
        }
        return table;
    }

    private static long abort(Turn turn, String command) throws IOException {
        ExecutorRow row = (ExecutorRow) turn.row();
        AbortController controller = new AbortController();
        ProcessLike process = row.executor()
                .spawn(
                        command,
                        SpawnOptions.builder(row.cwd())
                                .signal(controller.signal())
                                .killGrace(GRACE)
                                .build());
        awaitLine(process.stdout());
        turn.await();
        long start = System.nanoTime();
        controller.abort("measured");
        OutputReader.drain(process.stdout(), process.stderr());
        process.onClosed().toCompletableFuture().join();
        return System.nanoTime() - start;
    }

    private static void awaitLine(InputStream stdout) throws IOException {
        int next;
        do {
            next = stdout.read();
        } while (next >= 0 && next != '\n');
    }
}
