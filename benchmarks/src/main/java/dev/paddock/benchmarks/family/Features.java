package dev.paddock.benchmarks.family;

import dev.paddock.benchmarks.measure.Family;
import dev.paddock.benchmarks.measure.Scope;
import dev.paddock.benchmarks.measure.Series;
import dev.paddock.benchmarks.measure.Suite;
import dev.paddock.benchmarks.measure.SuiteResult;
import dev.paddock.benchmarks.measure.Table;
import dev.paddock.benchmarks.row.Entry;
import dev.paddock.benchmarks.row.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Measures what a configuration file, toolchains, an identity, caches and audit records add to a
 * start of {@code paddock exec}, in turns with a start without them.
 */
final class Features implements Family {
    private static final String TIME = "time";
    private static final String MORE = "more, ms, p50";

    @Override
    public String name() {
        return "features";
    }

    @Override
    public Table measure(Scope scope) throws IOException {
        Table table = new Table(
                name(), "paddock exec -- true, with every feature of its configuration and with none", "ms, p50", MORE);
        table.goal("with every feature", MORE, "≤ 5");
        Path directory = scope.place().fresh("features-");
        Path configuration = Files.writeString(directory.resolve("paddock.yaml"), """
                limits: { file-size: 1g }
                toolchains: path
                identity: user
                caches: [maven, npm]
                environment: { pass: [CI], set: { LANG: C.UTF-8 } }
                audit: on
                """);
        List<Entry> programs = Programs.withFeatures(
                        configuration, scope.settings().release())
                .stream()
                .filter(program -> scope.wants(program.name()))
                .toList();
        try (Suite suite = Suite.open(programs, scope.place())) {
            SuiteResult measured = suite.measure(1, scope.rounds(15, 60), turn -> {
                turn.await();
                turn.nanos(TIME, turn.row().run("true").exit());
            });
            table.fill(suite, measured, TIME, (entry, samples) -> {
                Series own = samples.of(TIME);
                return List.of(own.p50(), more(entry, own, measured));
            });
        }
        return table;
    }

    /** Returns the difference from the row without the features; NaN for that row itself. */
    private static double more(Entry entry, Series own, SuiteResult measured) {
        if (!entry.name().endsWith(Programs.WITH)) {
            return Double.NaN;
        }
        String executor = entry.name().substring(0, entry.name().length() - Programs.WITH.length());
        return own.difference(measured.of(executor + Programs.WITHOUT).of(TIME));
    }
}
