package dev.paddock.benchmarks.family;

import dev.paddock.benchmarks.measure.Family;
import dev.paddock.benchmarks.measure.Scope;
import dev.paddock.benchmarks.measure.Series;
import dev.paddock.benchmarks.measure.Suite;
import dev.paddock.benchmarks.measure.SuiteResult;
import dev.paddock.benchmarks.measure.Table;
import dev.paddock.benchmarks.row.Entry;
import dev.paddock.benchmarks.row.Programs;
import java.util.List;

/** Measures how long a client waits for the server of tools, from its start to the first answer. */
final class McpStart implements Family {
    private static final String ANSWER = "answer";
    private static final String END = "end";

    @Override
    public String name() {
        return "mcp";
    }

    @Override
    public Table measure(Scope scope) {
        Table table = new Table(
                name(),
                "a server of tools: from its start to the answer to initialize",
                "ms, p50",
                "p95",
                "ended, p50");
        table.goal("each", "ms, p50", "≤ 150");
        List<Entry> servers = Programs.servers(scope.settings().release()).stream()
                .filter(server -> scope.wants(server.name()))
                .toList();
        try (Suite suite = Suite.open(servers, scope.place())) {
            SuiteResult measured = suite.measure(0, scope.rounds(7, 30), turn -> {
                turn.await();
                var times = turn.row().run("");
                turn.nanos(ANSWER, times.firstByte());
                turn.nanos(END, times.exit());
            });
            table.fill(suite, measured, ANSWER, (entry, samples) -> {
                Series answer = samples.of(ANSWER);
                return List.of(answer.p50(), answer.p95(), samples.of(END).p50());
            });
        }
        return table;
    }
}
