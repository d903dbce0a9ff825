package dev.paddock.benchmarks.family;

import dev.paddock.benchmarks.measure.Family;
import dev.paddock.benchmarks.measure.Scope;
import dev.paddock.benchmarks.measure.Series;
import dev.paddock.benchmarks.measure.SmallJvm;
import dev.paddock.benchmarks.measure.Suite;
import dev.paddock.benchmarks.measure.SuiteResult;
import dev.paddock.benchmarks.measure.Table;
import dev.paddock.benchmarks.row.BenchmarkWorktree;
import dev.paddock.benchmarks.row.Catalogue;
import dev.paddock.benchmarks.row.Entry;
import dev.paddock.benchmarks.row.ProgramRow;
import dev.paddock.benchmarks.row.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Measures large outputs: through an executor's streams, through the bash tool with its log in a
 * small heap, and through cat.
 */
final class Output implements Family {
    private static final long WHOLE = 1L << 30;
    private static final long QUICK = 1L << 28;
    private static final String CAT = "cat";
    private static final String TIME = "time";

    @Override
    public String name() {
        return "output";
    }

    @Override
    public Table measure(Scope scope) {
        long bytes = scope.settings().quick() ? QUICK : WHOLE;
        String lines = OutputProgram.lines(bytes);
        Table table = new Table(
                name(),
                (bytes >> 20) + " MiB of lines in a JVM with -Xmx64m; more is better; the total is counted",
                "MiB/s, p50",
                "rate ÷ cat's");
        table.goal("bash tool, 1024 MiB", "rate ÷ cat's", "≥ 0.5");
        try (Suite suite = Suite.open(entries(scope, bytes), scope.place())) {
            SuiteResult measured = suite.measure(
                    0,
                    scope.rounds(3, 3),
                    turn -> turn.nanos(TIME, turn.row().run(lines).exit()));
            Series cat = measured.of(CAT).of(TIME);
            table.fill(suite, measured, TIME, (entry, samples) -> {
                Series own = samples.of(TIME);
                return List.of((bytes >> 20) * 1000 / own.p50(), cat.ratio(own));
            });
        }
        return table;
    }

    private static List<Entry> entries(Scope scope, long bytes) {
        List<Entry> entries = new ArrayList<>();
        for (Entry executor : scope.rows(Catalogue.WARM)) {
            for (OutputProgram.Way way : OutputProgram.Way.values()) {
                entries.add(new Entry(
                        executor.name() + "-" + way.name().toLowerCase(Locale.ROOT),
                        executor.label() + ": " + way.label(),
                        place -> command -> probe(scope, executor.name(), way, command, bytes)));
            }
        }
        if (!entries.isEmpty()) {
            entries.addFirst(new Entry(CAT, "cat through a pipe", Output::cat));
        }
        return entries;
    }

    private static Row cat(BenchmarkWorktree place) {
        Row shell = new ProgramRow(List.of("sh", "-c"), place.worktree());
        return command -> shell.run(command + " | cat >/dev/null");
    }

    private static Row.Times probe(Scope scope, String row, OutputProgram.Way way, String command, long bytes)
            throws IOException {
        long expected = command.equals(OutputProgram.lines(bytes)) ? bytes : 0;
        long took = SmallJvm.run(
                        "64m",
                        OutputProgram.class,
                        row,
                        way.name(),
                        command,
                        Long.toString(expected),
                        scope.place().worktree().toString(),
                        scope.settings().image())
                .getFirst()
                .longValue();
        return new Row.Times(took, took);
    }
}
