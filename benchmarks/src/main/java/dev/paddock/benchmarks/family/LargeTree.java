package dev.paddock.benchmarks.family;

import dev.paddock.benchmarks.measure.Family;
import dev.paddock.benchmarks.measure.Scope;
import dev.paddock.benchmarks.measure.Series;
import dev.paddock.benchmarks.measure.Suite;
import dev.paddock.benchmarks.measure.SuiteResult;
import dev.paddock.benchmarks.measure.Table;
import dev.paddock.benchmarks.row.Catalogue;
import dev.paddock.benchmarks.row.Entry;
import dev.paddock.benchmarks.row.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Measures what a worktree costs each command: one with many files; one with as many and with
 * repositories in it, whose protected files each command's sandbox has to find and to mount; and a
 * small one.
 */
final class LargeTree implements Family {
    private static final int FILES_EACH = 100;
    private static final int REPOSITORIES = 20;
    private static final String SMALL = "-small";
    private static final String FILES = "-files";
    private static final String NESTED = "-repositories";
    private static final String TIME = "time";

    @Override
    public String name() {
        return "tree";
    }

    @Override
    public Table measure(Scope scope) throws IOException {
        int files = scope.ifQuick(30_000, 300_000);
        Table table = new Table(
                name(),
                "'true' in a worktree of " + files + " files, and of as many with " + REPOSITORIES
                        + " repositories, beside a small one",
                "ms, p50",
                "p95",
                "÷ small",
                "÷ files alone",
                "to open, ms");
        List<Entry> executors = scope.rows(List.of("landlock", "bwrap", "docker"));
        if (executors.isEmpty()) {
            return table;
        }
        Map<String, Double> opened = new HashMap<>();
        try (Suite suite = Suite.open(entries(scope, executors, files, opened), scope.place())) {
            SuiteResult measured = suite.measure(5, scope.rounds(20, 100), turn -> {
                turn.await();
                turn.nanos(TIME, turn.row().run("true").exit());
            });
            table.fill(suite, measured, TIME, (entry, samples) -> {
                String executor = entry.name().substring(0, entry.name().indexOf('-'));
                Series own = samples.of(TIME);
                return List.of(
                        own.p50(),
                        own.p95(),
                        own.ratio(measured.of(executor + SMALL).of(TIME)),
                        own.ratio(measured.of(executor + FILES).of(TIME)),
                        opened.getOrDefault(entry.name(), Double.NaN));
            });
        }
        return table;
    }

    private static List<Entry> entries(Scope scope, List<Entry> executors, int files, Map<String, Double> opened)
            throws IOException {
        Map<String, Path> trees = new HashMap<>();
        trees.put(SMALL, scope.place().worktree());
        trees.put(FILES, make(scope.place().fresh("files-"), files, 0));
        trees.put(NESTED, make(scope.place().fresh("repositories-"), files, REPOSITORIES));
        List<Entry> entries = new ArrayList<>();
        for (Entry executor : executors) {
            for (String kind : List.of(SMALL, FILES, NESTED)) {
                String name = executor.name() + kind;
                entries.add(new Entry(name, executor.label() + ": " + label(kind), place -> {
                    Path tree = trees.getOrDefault(kind, place.worktree());
                    long start = System.nanoTime();
                    Row row = Catalogue.open(
                            executor.name(), tree, scope.settings().image());
                    opened.put(name, (System.nanoTime() - start) / 1e6);
                    return row;
                }));
            }
        }
        return entries;
    }

    private static String label(String kind) {
        return switch (kind) {
            case FILES -> "many files";
            case NESTED -> "and repositories";
            default -> "small";
        };
    }

    private static Path make(Path tree, int files, int repositories) throws IOException {
        int directories = files / FILES_EACH;
        for (int number = 0; number < directories; number++) {
            Path directory = Files.createDirectories(
                    tree.resolve("part-" + number % REPOSITORIES).resolve("package-" + number));
            for (int file = 0; file < FILES_EACH; file++) {
                Files.createFile(directory.resolve("file-" + file));
            }
        }
        for (int number = 0; number < repositories; number++) {
            Path repository = tree.resolve("part-" + number).resolve(".git");
            Files.createDirectories(repository.resolve("hooks"));
            Files.writeString(repository.resolve("config"), "[core]\n\tbare = false\n");
            Files.writeString(repository.resolve("HEAD"), "ref: refs/heads/main\n");
        }
        return tree;
    }
}
