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
import dev.paddock.benchmarks.row.ProgramRow;
import dev.paddock.benchmarks.row.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Measures whole programs that run 'true' in a sandbox: Paddock, and the installed programs of
 * others. They run in turns, as commands do.
 */
public final class StartUp implements Family {
    private static final String PATH =
            Optional.ofNullable(System.getenv("PATH")).orElse("");
    private static final String CODEX = "codex";
    private static final String SRT = "srt";
    private static final String TIME = "time";

    @Override
    public String name() {
        return "start-up";
    }

    @Override
    public Table measure(Scope scope) {
        Table table = new Table(
                name(),
                "a whole program that runs 'true' in a sandbox",
                "ms, p50",
                "p95",
                "÷ codex",
                "÷ srt",
                "÷ docker run");
        table.goal("--executor bwrap", "÷ codex", "≤ 1.0");
        table.goal("--executor bwrap", "÷ srt", "≤ 0.35");
        List<Entry> programs = programs(scope.settings().image()).stream()
                .filter(program -> scope.wants(program.name()))
                .toList();
        try (Suite suite = Suite.open(programs, scope.place())) {
            SuiteResult measured = suite.measure(0, scope.rounds(7, 30), turn -> {
                turn.await();
                turn.nanos(TIME, turn.row().run("true").exit());
            });
            Series codex = measured.of(CODEX).of(TIME);
            Series srt = measured.of(SRT).of(TIME);
            Series container = measured.of(DockerRows.RUN).of(TIME);
            table.fill(suite, measured, TIME, (entry, samples) -> {
                Series own = samples.of(TIME);
                return List.of(own.p50(), own.p95(), own.ratio(codex), own.ratio(srt), own.ratio(container));
            });
        }
        return table;
    }

    /**
     * Returns the programs. A suite runs each of them once before it measures; that also makes a
     * launcher build the program that it starts.
     */
    public static List<Entry> programs(String image) {
        String launcher = System.getProperty("paddock.launcher", "paddock");
        List<Entry> programs = new ArrayList<>();
        for (String executor : List.of("host", "landlock", "bwrap")) {
            programs.add(program(
                    executor,
                    "paddock exec --executor " + executor,
                    List.of(launcher, "exec", "--executor", executor, "-n", "--")));
        }
        programs.add(
                program("docker", "paddock exec --image", List.of(launcher, "exec", "--image", image, "-n", "--")));
        programs.add(program(CODEX, "codex sandbox", List.of("codex", "sandbox", "--")));
        programs.add(program(SRT, "srt (sandbox-runtime)", List.of("srt")));
        programs.add(new Entry(
                DockerRows.RUN,
                "docker run --rm, its client",
                place -> installed(DockerRows.run(image, place, List.of()), place)));
        return programs;
    }

    private static Entry program(String name, String label, List<String> line) {
        return new Entry(name, label, place -> installed(line, place));
    }

    private static Row installed(List<String> line, BenchmarkWorktree place) throws IOException {
        String program = line.getFirst();
        if (List.of(PATH.split(":")).stream()
                .map(directory -> Path.of(directory).resolve(program))
                .noneMatch(Files::isExecutable)) {
            throw new IOException(program + " is not installed");
        }
        return new ProgramRow(line, place.worktree());
    }
}
