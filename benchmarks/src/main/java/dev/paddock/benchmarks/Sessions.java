package dev.paddock.benchmarks;

import dev.paddock.harness.AgentSession;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Sessions that are opened, each with an executor of its own, and disposed of. */
final class Sessions implements Family {

    @Override
    public String name() {
        return "sessions";
    }

    @Override
    public Table measure(Scope scope) throws IOException {
        Table table = new Table(
                name(), "sessions opened and disposed of, one after the other", "a second", "ms, p50", "ms, p95");
        long nanos = TimeUnit.SECONDS.toNanos(scope.ifQuick(3, 15));
        for (Entry entry : scope.rows(List.of("host", "landlock", "bwrap"))) {
            table.add(entry.name(), entry.label(), () -> {
                series(entry, scope, nanos / 3);
                Series series = series(entry, scope, nanos);
                return List.of(series.size() * 1e9 / nanos, series.quantile(0.5), series.quantile(0.95));
            });
        }
        return table;
    }

    private static Series series(Entry entry, Scope scope, long nanos) {
        Series series = new Series();
        long end = System.nanoTime() + nanos;
        for (int round = 0; System.nanoTime() - end < 0; round++) {
            long start = System.nanoTime();
            AgentSession.builder()
                    .model(new Calls("true", 0, false))
                    .cwd(scope.place().worktree())
                    .executor(Catalogue.executor(entry.name(), scope.place().worktree()))
                    .build()
                    .close();
            series.add(round, System.nanoTime() - start);
        }
        return series;
    }
}
