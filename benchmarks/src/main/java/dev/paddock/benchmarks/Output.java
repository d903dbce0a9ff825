package dev.paddock.benchmarks;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** Much output: through an executor's streams, and through the bash tool with its log, in a small heap; and through cat. */
final class Output implements Family {
    private static final long WHOLE = 1L << 30;
    private static final long QUICK = 1L << 28;
    private static final int TIMES = 3;

    @Override
    public String name() {
        return "output";
    }

    @Override
    public Table measure(Scope scope) throws IOException {
        long bytes = scope.settings().quick() ? QUICK : WHOLE;
        Table table = new Table(
                name(),
                (bytes >> 20) + " MiB of lines in a JVM with -Xmx64m, MiB a second; the total is counted",
                "executor",
                "bash tool",
                "executor ÷ cat",
                "bash ÷ cat");
        Row cat = new ProgramRow(List.of("sh", "-c"), scope.place().worktree());
        for (Entry entry : scope.rows(List.of("host", "landlock", "bwrap"))) {
            table.add(entry.name(), entry.label(), () -> {
                Series cats = new Series();
                Series executors = new Series();
                Series tools = new Series();
                for (int time = 0; time < TIMES; time++) {
                    cats.add(
                            time,
                            cat.run(OutputProgram.lines(bytes) + " | cat >/dev/null")
                                    .exit());
                    executors.add(time, probe(scope, entry.name(), "executor", bytes));
                    tools.add(time, probe(scope, entry.name(), "bash", bytes));
                }
                return Stream.of(rate(bytes, executors), rate(bytes, tools), cats.ratio(executors), cats.ratio(tools))
                        .toList();
            });
        }
        return table;
    }

    private static double rate(long bytes, Series series) {
        return (bytes >> 20) * 1000 / series.quantile(0.5);
    }

    private static long probe(Scope scope, String row, String way, long bytes) throws IOException {
        return SmallJvm.run(
                        "64m",
                        OutputProgram.class,
                        row,
                        way,
                        Long.toString(bytes),
                        scope.place().worktree().toString())
                .getFirst()
                .longValue();
    }
}
