package dev.paddock.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whole programs that run 'true' in a sandbox: ours, and what others have installed. In turns, as commands are. */
final class StartUp implements Family {
    private static final String PATH =
            Optional.ofNullable(System.getenv("PATH")).orElse("");

    /** A program: what it is called with, and what it needs. */
    private record Program(String name, String label, List<String> line) {}

    @Override
    public String name() {
        return "start-up";
    }

    @Override
    public Table measure(Scope scope) throws IOException {
        Table table = new Table(
                name(), "a whole program that runs 'true' in a sandbox", "ms, p50", "p95", "÷ codex", "÷ srt");
        Map<Program, Series> programs = new LinkedHashMap<>();
        for (Program program : programs()) {
            if (scope.wants(program.name())) {
                whyNot(program, scope.place().worktree())
                        .ifPresentOrElse(
                                reason -> table.miss(program.label(), reason),
                                () -> programs.put(program, new Series()));
            }
        }
        Quiet quiet = new Quiet();
        int rounds = scope.ifQuick(7, 30);
        for (int round = 0; round < rounds; round++) {
            for (Map.Entry<Program, Series> program : programs.entrySet()) {
                quiet.await();
                program.getValue()
                        .add(round, row(program.getKey(), scope).run("true").exit());
            }
            System.err.print(".");
        }
        Series codex = series(programs, "codex");
        Series srt = series(programs, "srt");
        programs.forEach((program, series) -> table.add(
                program.name(),
                program.label(),
                () -> List.of(series.quantile(0.5), series.quantile(0.95), series.ratio(codex), series.ratio(srt))));
        return table;
    }

    private static List<Program> programs() {
        String launcher = System.getProperty("paddock.launcher", "paddock");
        List<Program> programs = new ArrayList<>();
        for (String executor : List.of("host", "landlock", "bwrap")) {
            programs.add(new Program(
                    executor,
                    "paddock exec --executor " + executor,
                    List.of(launcher, "exec", "--executor", executor, "-n", "--")));
        }
        programs.add(new Program("codex", "codex sandbox", List.of("codex", "sandbox", "--")));
        programs.add(new Program("srt", "srt (sandbox-runtime)", List.of("srt")));
        return programs;
    }

    private static Row row(Program program, Scope scope) {
        return new ProgramRow(program.line(), scope.place().worktree());
    }

    /** Runs it once, which also has a launcher build what it starts. */
    private static Optional<String> whyNot(Program program, Path worktree) {
        if (find(program.line().getFirst()).isEmpty()) {
            return Optional.of("it is not installed");
        }
        try {
            new ProgramRow(program.line(), worktree).run("true");
            return Optional.empty();
        } catch (IOException fault) {
            return Optional.of(String.valueOf(fault.getMessage()));
        }
    }

    private static Optional<Path> find(String program) {
        return List.of(PATH.split(":")).stream()
                .map(directory -> Path.of(directory).resolve(program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static Series series(Map<Program, Series> programs, String name) {
        return programs.entrySet().stream()
                .filter(program -> program.getKey().name().equals(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseGet(Series::new);
    }
}
