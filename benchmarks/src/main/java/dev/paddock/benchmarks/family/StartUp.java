package dev.paddock.benchmarks.family;

import dev.paddock.benchmarks.measure.Family;
import dev.paddock.benchmarks.measure.Scope;
import dev.paddock.benchmarks.measure.Series;
import dev.paddock.benchmarks.measure.Suite;
import dev.paddock.benchmarks.measure.SuiteResult;
import dev.paddock.benchmarks.measure.Table;
import dev.paddock.benchmarks.row.BenchmarkWorktree;
import dev.paddock.benchmarks.row.DockerRows;
import dev.paddock.benchmarks.row.Entry;
import dev.paddock.benchmarks.row.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Measures whole programs that run 'true' in a sandbox: Paddock, and the installed programs of
 * others. They run in turns, as commands do.
 *
 * @param packages how many packages of {@value #FILES} files stand in the worktree's
 *     {@code node_modules}
 */
record StartUp(String name, String title, int packages) implements Family {
    private static final String TIME = "time";
    private static final int FILES = 50;

    /** Returns the family that runs in a worktree of a few files. */
    static StartUp inFewFiles() {
        return new StartUp("start-up", "a whole program that runs 'true' in a sandbox", 0);
    }

    /** Returns the family that runs in a worktree of the size of a front end's. */
    static StartUp inManyPackages() {
        return new StartUp("packages", "a whole program that runs 'true' in a worktree of 400 npm packages", 400);
    }

    @Override
    public Table measure(Scope scope) throws IOException {
        Table table = new Table(
                name, title, "ms, p50", "p95", "÷ codex", "÷ its native", "÷ srt", "÷ docker run", "÷ hardened");
        for (String executor : List.of("host", "landlock", "bwrap")) {
            table.goal("--executor " + executor, "÷ codex", "≤ 0.9");
        }
        table.goal("--executor landlock", "÷ its native", "≤ 1.5");
        table.goal("--executor bwrap", "÷ its native", "≤ 1.8");
        table.goal("--image", "÷ hardened", "≤ 1.5");
        List<Entry> programs = Programs.entries(
                        scope.settings().image(), scope.settings().release())
                .stream()
                .filter(program -> scope.wants(program.name()))
                .toList();
        try (BenchmarkWorktree place = BenchmarkWorktree.create()) {
            install(place.worktree());
            try (Suite suite = Suite.open(programs, place)) {
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
                            own.ratio(measured.of(Programs.CODEX_NATIVE).of(TIME)),
                            own.ratio(measured.of(Programs.SRT).of(TIME)),
                            own.ratio(measured.of(DockerRows.RUN).of(TIME)),
                            own.ratio(measured.of(DockerRows.RUN_HARDENED).of(TIME)));
                });
            }
        }
        return table;
    }

    private void install(Path worktree) throws IOException {
        for (int number = 0; number < packages; number++) {
            Path directory = Files.createDirectories(worktree.resolve("node_modules")
                    .resolve("package-" + number)
                    .resolve("lib"));
            Files.writeString(directory.resolveSibling("package.json"), "{\"name\": \"package-" + number + "\"}\n");
            for (int file = 1; file < FILES; file++) {
                Files.createFile(directory.resolve("file-" + file + ".js"));
            }
        }
    }
}
