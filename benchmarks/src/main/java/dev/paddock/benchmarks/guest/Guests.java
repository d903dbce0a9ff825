package dev.paddock.benchmarks.guest;

import dev.paddock.benchmarks.measure.Family;
import dev.paddock.benchmarks.measure.Scope;
import dev.paddock.benchmarks.measure.Series;
import dev.paddock.benchmarks.measure.Suite;
import dev.paddock.benchmarks.measure.SuiteResult;
import dev.paddock.benchmarks.measure.Table;
import dev.paddock.benchmarks.row.Entry;
import dev.paddock.benchmarks.row.ProgramRow;
import dev.paddock.benchmarks.row.Programs;
import dev.paddock.harness.guest.GuestCode;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Measures guest code in an open session, beside programs that run the same code without a sandbox. */
public final class Guests implements Family {
    private static final String TIME = "time";
    private static final String NODE = "node";
    private static final String MILLIS = "ms, p50";

    @Override
    public String name() {
        return "guests";
    }

    @Override
    public Table measure(Scope scope) throws IOException {
        Table table = new Table(
                name(),
                "6 * 7 as guest code in bubblewrap, and in programs without a sandbox",
                MILLIS,
                "p95",
                "÷ node");
        table.goal("guest-warm", MILLIS, "≤ 5");
        table.goal("guest-cold", MILLIS, "≤ 150");
        List<Entry> rows =
                rows().stream().filter(row -> scope.wants(row.name())).toList();
        try (Suite suite = Suite.open(rows, scope.place())) {
            SuiteResult measured = suite.measure(2, scope.rounds(10, 40), turn -> {
                turn.await();
                turn.nanos(TIME, turn.row().run("6 * 7").exit());
            });
            table.fill(suite, measured, TIME, (entry, samples) -> {
                Series own = samples.of(TIME);
                return List.of(own.p50(), own.p95(), own.ratio(measured.of(NODE).of(TIME)));
            });
        }
        return table;
    }

    private static List<Entry> rows() {
        AtomicInteger number = new AtomicInteger();
        return List.of(
                new Entry("guest-warm", "a guest, warm", place -> GuestRow.open(place, 1, Guests::javaScript)),
                new Entry("guest-cold", "a guest, cold", place -> GuestRow.open(place, 0, Guests::javaScript)),
                new Entry(
                        "guest-typescript",
                        "a new TypeScript module, warm",
                        place -> GuestRow.open(
                                place,
                                2,
                                expression -> GuestCode.ts("const module: number = " + number.incrementAndGet()
                                        + ";\nexport const run = (): unknown => module && " + expression + ";"))),
                new Entry(
                        NODE,
                        "node -p",
                        place -> new ProgramRow(List.of(Programs.onPath("node").toString(), "-p"), place.worktree())),
                new Entry(
                        "workerd",
                        "workerd, started for each run",
                        place -> WorkerdRow.open(place, Programs.onPath("workerd"))));
    }

    private static GuestCode javaScript(String expression) {
        return GuestCode.js("export const run = () => " + expression + ";");
    }
}
