package dev.paddock.benchmarks;

import dev.paddock.benchmarks.family.Families;
import dev.paddock.benchmarks.measure.Family;
import dev.paddock.benchmarks.measure.Faults;
import dev.paddock.benchmarks.measure.Scope;
import dev.paddock.benchmarks.measure.Settings;
import dev.paddock.benchmarks.measure.Suite;
import dev.paddock.benchmarks.measure.Table;
import dev.paddock.benchmarks.remote.Remote;
import dev.paddock.benchmarks.report.Report;
import dev.paddock.benchmarks.row.BenchmarkWorktree;
import dev.paddock.benchmarks.row.Catalogue;
import dev.paddock.benchmarks.row.Entry;
import dev.paddock.benchmarks.row.Programs;
import dev.paddock.benchmarks.row.Row;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Runs the measurements of {@code ./paddock bench}. */
final class Main {
    /** The simplest command, and a typical one: several programs, a pipe, a condition. */
    static final List<String> COMMANDS =
            List.of("true", "ls -la | head -n 5 && grep -l TODO file-1*.txt | wc -l; test -d . || exit 1");

    private static final int WARM_UP = 20;
    private static final int QUICK = 40;
    private static final int ROUNDS = 200;
    private static final int FAILED = 1;
    private static final int MISUSED = 2;

    private Main() {}

    public static void main(String[] arguments) {
        if (List.of(arguments).contains("--help")) {
            System.out.print(Settings.USAGE);
            return;
        }
        Settings settings;
        try {
            settings = settings(arguments);
        } catch (IllegalArgumentException misuse) {
            fail(misuse, MISUSED);
            return;
        }
        try {
            run(settings);
        } catch (IOException | UncheckedIOException fault) {
            fail(fault, FAILED);
        }
    }

    /**
     * Reads the arguments.
     *
     * @throws IllegalArgumentException if an option, a row or a family is unknown, or a value is
     *     malformed
     */
    static Settings settings(String... arguments) {
        List<String> rows = Stream.concat(
                        Stream.concat(
                                        Catalogue.entries("").stream(),
                                        Programs.entries("", Optional.of(Path.of(""))).stream())
                                .map(Entry::name),
                        Remote.ROWS.stream())
                .distinct()
                .toList();
        List<String> families = Families.ALL.stream().map(Family::name).toList();
        return Settings.parse(arguments, rows, families);
    }

    private static void fail(Exception fault, int code) {
        System.err.println("paddock bench: " + fault.getMessage());
        System.exit(code);
    }

    /** Measures and prints. After a failure, the figures measured before it are written as well. */
    static Report run(Settings settings) throws IOException {
        try (BenchmarkWorktree place = BenchmarkWorktree.create()) {
            Report report = new Report();
            Scope scope = new Scope(place, settings);
            try {
                if (settings.wantsCommands()) {
                    commands(scope, report);
                }
                Families.ALL.stream().filter(settings::wants).forEach(family -> measure(family, scope, report));
            } finally {
                report.write(settings);
            }
            return report;
        }
    }

    private static void commands(Scope scope, Report report) {
        Settings settings = scope.settings();
        List<Entry> entries = Catalogue.entries(settings.image()).stream()
                .filter(settings::wants)
                .toList();
        int rounds = scope.rounds(QUICK, ROUNDS);
        try (Suite suite = Suite.open(entries, scope.place())) {
            for (String command : COMMANDS) {
                List<Entry> measured = suite.entries();
                report.add(command, measured, suite.measure(Math.min(WARM_UP, rounds), rounds, turn -> {
                    turn.await();
                    Row.Times times = turn.row().run(command);
                    turn.nanos(Report.FIRST_BYTE, times.firstByte());
                    turn.nanos(Report.EXIT, times.exit());
                }));
            }
            suite.absent().forEach((entry, reason) -> report.miss(entry.name(), entry.label() + ": " + reason));
            System.err.println();
            report.print(System.out);
            System.out.printf("%.0f %% of the samples began while something else was running%n", 100 * suite.noise());
        }
    }

    /**
     * Measures one family. A failure is noted in the report: it neither loses the figures measured
     * before nor keeps the next family from being measured.
     */
    private static void measure(Family family, Scope scope, Report report) {
        System.err.print(family.name() + " ");
        try {
            Table table = family.measure(scope);
            if (table.isEmpty()) {
                table.miss("all rows", "this family has none of those that were asked for");
            }
            System.err.println();
            table.print(System.out);
            report.add(table);
        } catch (IOException | RuntimeException fault) {
            System.err.println();
            System.out.println("not measured: " + family.name() + ": " + Faults.message(fault));
            report.miss(family.name(), Faults.message(fault));
        }
    }
}
