package dev.paddock.benchmarks.family;

import dev.paddock.benchmarks.measure.Family;
import dev.paddock.benchmarks.measure.Scope;
import dev.paddock.benchmarks.measure.Series;
import dev.paddock.benchmarks.measure.Suite;
import dev.paddock.benchmarks.measure.SuiteResult;
import dev.paddock.benchmarks.measure.Table;
import dev.paddock.benchmarks.row.BenchmarkWorktree;
import dev.paddock.benchmarks.row.Entry;
import dev.paddock.benchmarks.row.Programs;
import java.io.IOException;
import java.util.List;

/**
 * Measures whole programs that run 'true' in a sandbox at a terminal, as a person starts them, in turns:
 * Paddock, which gives the command a terminal of its own, and the installed programs of others.
 */
record AtTerminal() implements Family {
    private static final String TIME = "time";

    @Override
    public String name() {
        return "terminal";
    }

    @Override
    public Table measure(Scope scope) throws IOException {
        Table table = new Table(
                name(),
                "a whole program that runs 'true' in a sandbox, at a terminal",
                "ms, p50",
                "p95",
                "÷ codex",
                "÷ srt");
        List<Entry> programs = Programs.atTerminals(scope.settings().release()).stream()
                .filter(program -> scope.wants(program.name()))
                .toList();
        try (BenchmarkWorktree place = BenchmarkWorktree.create();
                Suite suite = Suite.open(programs, place)) {
            SuiteResult measured = suite.measure(0, scope.rounds(7, 30), turn -> {
                turn.await();
                turn.nanos(TIME, turn.row().run("true").exit());
            });
            table.fill(suite, measured, TIME, (entry, samples) -> {
                Series own = samples.of(TIME);
                return List.of(
                        own.p50(),
                        own.p95(),
                        own.ratio(measured.of(Programs.CODEX).of(TIME)),
                        own.ratio(measured.of(Programs.SRT).of(TIME)));
            });
        }
        return table;
    }
}
