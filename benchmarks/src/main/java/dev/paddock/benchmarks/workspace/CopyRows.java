package dev.paddock.benchmarks.workspace;

import dev.paddock.benchmarks.measure.Scope;
import dev.paddock.benchmarks.measure.Script;
import dev.paddock.benchmarks.row.BenchmarkWorktree;
import dev.paddock.benchmarks.row.Entry;
import dev.paddock.benchmarks.row.FileTrees;
import dev.paddock.benchmarks.row.TimedRow;
import dev.paddock.benchmarks.row.Trees;
import dev.paddock.harness.workspace.snapshot.TreeCopy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Copies a tree as a branch does, and by {@code cp -a}. */
final class CopyRows {
    private static final int SMALL_FILES = 10_000;
    private static final int SMALL_SIZE = 10_000;

    private CopyRows() {}

    /** Returns the label of a branch of the smaller tree, if the large one has so many files. */
    static String label(int files) {
        return "branch, " + Math.min(files, SMALL_FILES) + " files of 10 kB";
    }

    /** Returns the copies of at most 10,000 files, 100 MB together. */
    static List<Entry> smallCopies(Scope scope, int files) throws IOException {
        Path tree = Trees.fill(scope.place().fresh("small-"), Math.min(files, SMALL_FILES), SMALL_SIZE);
        return List.of(
                new Entry("branch", label(files), place -> TimedRow.of(branch(place, tree))),
                new Entry("branch" + Workspaces.CP, "cp -a of the same", place -> TimedRow.of(cp(place, tree))));
    }

    /** Returns the copies of the large tree. */
    static List<Entry> largeCopies(Path tree) {
        return List.of(
                new Entry("large", "branch of all files", place -> TimedRow.slow(branch(place, tree))),
                new Entry("large" + Workspaces.CP, "cp -a of all files", place -> TimedRow.slow(cp(place, tree))));
    }

    private static TimedRow.Sample branch(BenchmarkWorktree place, Path tree) throws IOException {
        Path in = place.fresh("branch-");
        return copying(in, () -> TreeCopy.copy(tree, in.resolve("copy")));
    }

    private static TimedRow.Sample cp(BenchmarkWorktree place, Path tree) throws IOException {
        Path in = place.fresh("cp-");
        return copying(in, new Script(in, Map.of("TREE", tree.toString())).action("cp -a \"$TREE\" copy"));
    }

    private static TimedRow.Sample copying(Path in, TimedRow.Action copy) {
        return TimedRow.timing(
                new Script(in, Map.of()).action("sync -f ."), copy, () -> FileTrees.delete(in.resolve("copy")));
    }
}
