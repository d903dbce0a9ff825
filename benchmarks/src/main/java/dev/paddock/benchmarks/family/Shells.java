package dev.paddock.benchmarks.family;

import dev.paddock.benchmarks.measure.Family;
import dev.paddock.benchmarks.measure.Scope;
import dev.paddock.benchmarks.measure.SmallJvm;
import dev.paddock.benchmarks.measure.Table;
import java.util.List;

/**
 * Measures idle background shells: the memory, threads, descriptors and processor time of a JVM
 * with many of them.
 */
final class Shells implements Family {
    private static final List<Integer> NUMBERS = List.of(10, 100, 1000);

    @Override
    public String name() {
        return "shells";
    }

    @Override
    public Table measure(Scope scope) {
        Table table = new Table(
                name(),
                "live background shells on the host, in a JVM with -Xmx256m",
                "heap each, KiB",
                "heap, MiB",
                "RSS, MiB",
                "threads",
                "descriptors",
                "idle, ms/s");
        table.goal("1000 shells", "heap each, KiB", "≤ 64");
        table.goal("1000 shells", "idle, ms/s", "0");
        for (int number : NUMBERS) {
            if (scope.wants("host")) {
                table.measure(
                        "shells-" + number,
                        number + " shells",
                        () -> SmallJvm.run(
                                "256m",
                                ShellsProgram.class,
                                Integer.toString(number),
                                scope.place().worktree().toString(),
                                Integer.toString(scope.ifQuick(2, 10))));
            }
        }
        return table;
    }
}
