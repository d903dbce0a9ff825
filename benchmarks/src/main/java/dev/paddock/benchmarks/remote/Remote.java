package dev.paddock.benchmarks.remote;

import dev.paddock.benchmarks.measure.Family;
import dev.paddock.benchmarks.measure.Faults;
import dev.paddock.benchmarks.measure.Scope;
import dev.paddock.benchmarks.measure.Series;
import dev.paddock.benchmarks.measure.Suite;
import dev.paddock.benchmarks.measure.SuiteResult;
import dev.paddock.benchmarks.measure.Table;
import dev.paddock.benchmarks.row.Entry;
import java.io.IOException;
import java.util.List;

/** Measures commands in pods beside kubectl, and over ssh beside ssh and rsync. */
public final class Remote implements Family {
    /** The words that select rows. */
    public static final List<String> ROWS = List.of("kubernetes", "ssh");

    private static final String TIME = "time";
    private static final String BESIDE = "÷ program";

    @Override
    public String name() {
        return "remote";
    }

    @Override
    public boolean isOnDemand() {
        return true;
    }

    @Override
    public Table measure(Scope scope) {
        Table table =
                new Table(name(), "commands elsewhere, until they have closed", "ms, p50", "p95", BESIDE, "÷ rsync");
        table.goal("pod: 'true'", BESIDE, "≤ 0.1");
        table.goal("pod: created", "ms, p50", "≤ 1500");
        table.goal("first command, 100 MiB", BESIDE, "≤ 2");
        measure(scope, table, "kubernetes", () -> Cluster.open(scope.settings().image()));
        measure(
                scope,
                table,
                "ssh",
                () -> SshHost.open(scope.settings().sshHost(), scope.place().fresh("ssh-")));
        return table;
    }

    private static void measure(Scope scope, Table table, String name, Elsewhere.Opening opening) {
        if (!scope.wants(name)) {
            return;
        }
        try (Elsewhere place = opening.open()) {
            int files = scope.settings().files().orElse(10_000);
            int few = scope.rounds(3, 7);
            RemoteRows rows = new RemoteRows(place, scope, files);
            measure(scope, table, rows.warm(), 3, scope.rounds(11, 41));
            measure(scope, table, rows.fresh(), 1, scope.rounds(3, 11));
            measure(scope, table, rows.atOnce(few), 1, few);
            measure(scope, table, rows.unchanged(), 2, scope.rounds(5, 21));
            measure(scope, table, rows.firstOfMany(), 0, few);
            measure(scope, table, rows.firstOfLarge(), 0, few);
        } catch (IOException | RuntimeException fault) {
            table.miss(name, Faults.message(fault));
        }
    }

    private static void measure(Scope scope, Table table, List<Entry> group, int warmUp, int rounds) {
        try (Suite suite = Suite.open(group, scope.place())) {
            SuiteResult measured = suite.measure(warmUp, rounds, turn -> {
                turn.await();
                turn.nanos(TIME, turn.row().run("true").exit());
            });
            String first = group.getFirst().name();
            table.fill(suite, measured, TIME, (entry, samples) -> {
                Series own = samples.of(TIME);
                return List.of(
                        own.p50(),
                        own.p95(),
                        own.ratio(measured.of(first + RemoteRows.PROGRAM).of(TIME)),
                        own.ratio(measured.of(first + RemoteRows.RSYNC).of(TIME)));
            });
        }
    }
}
