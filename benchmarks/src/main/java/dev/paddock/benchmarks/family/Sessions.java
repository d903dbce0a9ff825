package dev.paddock.benchmarks.family;

import dev.paddock.benchmarks.measure.Family;
import dev.paddock.benchmarks.measure.Scope;
import dev.paddock.benchmarks.measure.Suite;
import dev.paddock.benchmarks.measure.SuiteResult;
import dev.paddock.benchmarks.measure.Table;
import dev.paddock.benchmarks.measure.Turn;
import dev.paddock.benchmarks.row.Catalogue;
import dev.paddock.benchmarks.row.Entry;
import dev.paddock.benchmarks.row.ExecutorRow;
import dev.paddock.benchmarks.row.Row;
import dev.paddock.harness.AgentSession;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Measures sessions that are opened, each with its own executor, and disposed, without a pause:
 * each row runs for a second in its turn.
 */
final class Sessions implements Family {
    private static final long SLICE_NANOS = TimeUnit.SECONDS.toNanos(1);

    @Override
    public String name() {
        return "sessions";
    }

    @Override
    public Table measure(Scope scope) {
        Table table = new Table(
                name(), "sessions opened and disposed of, one after the other", "a second", "ms each, p50", "p95");
        String image = scope.settings().image();
        Path worktree = scope.place().worktree();
        List<Entry> entries = scope.rows(Catalogue.WARM).stream()
                .map(entry -> entry.openedBy(place -> command -> session(entry.name(), worktree, image)))
                .toList();
        try (Suite suite = Suite.open(entries, scope.place())) {
            SuiteResult measured = suite.measure(1, scope.rounds(3, 10), Sessions::take);
            table.fill(
                    suite,
                    measured,
                    "each",
                    (entry, samples) -> List.of(
                            samples.of("rate").p50(),
                            samples.of("each").p50(),
                            samples.of("each").p95()));
        }
        return table;
    }

    private static void take(Turn turn) throws IOException {
        turn.await();
        long start = System.nanoTime();
        int done = 0;
        while (System.nanoTime() - start < SLICE_NANOS) {
            turn.nanos("each", turn.row().run("").exit());
            done++;
        }
        turn.value("rate", done * 1e9 / (System.nanoTime() - start));
    }

    private static Row.Times session(String row, Path worktree, String image) {
        long start = System.nanoTime();
        ExecutorRow opened = Catalogue.open(row, worktree, image);
        try {
            AgentSession.builder()
                    .model(new BashCallModel("true", 0, false))
                    .cwd(worktree)
                    .executor(opened.executor())
                    .execCwd(opened.cwd())
                    .build()
                    .close();
        } catch (RuntimeException fault) {
            opened.close(); // the caller's until a session has been built
            throw fault;
        }
        long took = System.nanoTime() - start;
        return new Row.Times(took, took);
    }
}
