package dev.paddock.benchmarks;

import dev.paddock.executor.CommandExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the protection of nested repositories costs each command, in a worktree with many files, beside a small one. */
final class LargeTree implements Family {
    private static final int FILES_EACH = 100;
    private static final int REPOSITORIES = 20;

    @Override
    public String name() {
        return "tree";
    }

    @Override
    public Table measure(Scope scope) throws IOException {
        int files = scope.ifQuick(30_000, 300_000);
        Table table = new Table(
                name(),
                "'true' in a worktree of " + files + " files with " + REPOSITORIES
                        + " repositories, beside a small one, ms",
                "large, p50",
                "large, p95",
                "small, p50",
                "pair by pair",
                "to open, large");
        List<Entry> rows = scope.rows(List.of("landlock", "bwrap"));
        if (rows.isEmpty()) {
            return table;
        }
        Path tree = make(scope.place().beside("tree"), files);
        int rounds = scope.ifQuick(20, 100);
        for (Entry entry : rows) {
            table.add(entry.name(), entry.label(), () -> {
                long start = System.nanoTime();
                try (CommandExecutor there = Catalogue.executor(entry.name(), tree)) {
                    double opened = (System.nanoTime() - start) / 1e6;
                    return beside(scope, entry, new ExecutorRow(there, tree.toString()), rounds, opened);
                }
            });
        }
        return table;
    }

    private static List<Double> beside(Scope scope, Entry entry, Row large, int rounds, double opened)
            throws IOException {
        Series larges = new Series();
        Series smalls = new Series();
        Quiet quiet = new Quiet();
        try (Row small = entry.opening().open(scope.place())) {
            for (int round = -10; round < rounds; round++) {
                quiet.await();
                long there = large.run("true").exit();
                quiet.await();
                long here = small.run("true").exit();
                if (round >= 0) {
                    larges.add(round, there);
                    smalls.add(round, here);
                }
            }
        }
        return List.of(larges.quantile(0.5), larges.quantile(0.95), smalls.quantile(0.5), larges.ratio(smalls), opened);
    }

    private static Path make(Path tree, int files) throws IOException {
        int directories = files / FILES_EACH;
        for (int number = 0; number < directories; number++) {
            Path directory = Files.createDirectories(
                    tree.resolve("part-" + number % REPOSITORIES).resolve("package-" + number));
            for (int file = 0; file < FILES_EACH; file++) {
                Files.createFile(directory.resolve("file-" + file));
            }
        }
        for (int number = 0; number < REPOSITORIES; number++) {
            Path repository = tree.resolve("part-" + number).resolve(".git");
            Files.createDirectories(repository.resolve("hooks"));
            Files.writeString(repository.resolve("config"), "[core]\n\tbare = false\n");
            Files.writeString(repository.resolve("HEAD"), "ref: refs/heads/main\n");
        }
        return tree;
    }
}
