package dev.paddock.benchmarks.workspace;

import dev.paddock.benchmarks.measure.Family;
import dev.paddock.benchmarks.measure.Samples;
import dev.paddock.benchmarks.measure.Scope;
import dev.paddock.benchmarks.measure.Series;
import dev.paddock.benchmarks.measure.Suite;
import dev.paddock.benchmarks.measure.SuiteResult;
import dev.paddock.benchmarks.measure.Table;
import dev.paddock.benchmarks.row.Entry;
import java.io.IOException;
import java.util.List;

/**
 * Measures workspaces beside their executors, snapshots beside git and backup programs, and copies
 * beside {@code cp -a}. A row takes turns with those of its group, whose names begin with the same
 * word.
 */
public final class Workspaces implements Family {
    static final String GIT = "-git";
    static final String CP = "-cp";
    static final String RESTIC = "-restic";
    static final String BORG = "-borg";
    static final String EXECUTOR = "-executor";

    private static final String TIME = "time";
    private static final String BESIDE_GIT = "÷ git";
    private static final String BESIDE_CP = "÷ cp -a";
    private static final String BEYOND = "beyond executor";

    @Override
    public String name() {
        return "workspaces";
    }

    @Override
    public Table measure(Scope scope) throws IOException {
        int files = scope.settings().files().orElse(scope.ifQuick(30_000, 300_000));
        Table table = new Table(
                name(),
                "workspaces, and snapshots and copies of " + files + " files of 500 bytes",
                "ms, p50",
                "p95",
                BESIDE_GIT,
                BESIDE_CP,
                "÷ restic",
                "÷ borg",
                BEYOND);
        table.goal("workspace, open and close", BEYOND, "≤ 20");
        table.goal(SnapshotRows.FIRST, BESIDE_GIT, "≤ 1");
        table.goal(SnapshotRows.UNCHANGED, BESIDE_GIT, "≤ 2");
        table.goal(SnapshotRows.UNCHANGED_JVM, BESIDE_GIT, "≤ 2.5");
        table.goal(CopyRows.label(files), BESIDE_CP, "≤ 1.5");
        for (List<Entry> group : WorkspaceRows.groups(scope)) {
            measure(scope, table, group, 5, scope.rounds(20, 60));
        }
        measure(scope, table, CopyRows.smallCopies(scope, files), 1, scope.rounds(5, 15));
        SnapshotRows snapshots = SnapshotRows.make(scope, files);
        int slow = scope.rounds(1, 3);
        measure(scope, table, snapshots.first(), 0, slow);
        measure(scope, table, snapshots.unchanged(), 2, scope.rounds(5, 11));
        measure(scope, table, snapshots.changes(), 1, scope.rounds(5, 11));
        measure(scope, table, CopyRows.largeCopies(snapshots.tree()), 0, slow);
        measure(scope, table, snapshots.restores(), 0, slow);
        return table;
    }

    private static void measure(Scope scope, Table table, List<Entry> group, int warmUp, int rounds) {
        try (Suite suite = Suite.open(group, scope.place())) {
            SuiteResult measured = suite.measure(warmUp, rounds, turn -> {
                turn.await();
                turn.nanos(TIME, turn.row().run("").exit());
            });
            table.fill(suite, measured, TIME, (entry, samples) -> figures(measured, entry.name(), samples));
        }
    }

    private static List<Double> figures(SuiteResult measured, String row, Samples samples) {
        String group = row.contains("-") ? row.substring(0, row.indexOf('-')) : row;
        Series own = samples.of(TIME);
        return List.of(
                own.p50(),
                own.p95(),
                own.ratio(measured.of(group + GIT).of(TIME)),
                own.ratio(measured.of(group + CP).of(TIME)),
                own.ratio(measured.of(group + RESTIC).of(TIME)),
                own.ratio(measured.of(group + BORG).of(TIME)),
                own.p50() - measured.of(group + EXECUTOR).of(TIME).p50());
    }
}
