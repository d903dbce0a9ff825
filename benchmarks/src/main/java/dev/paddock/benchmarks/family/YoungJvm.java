package dev.paddock.benchmarks.family;

import dev.paddock.benchmarks.measure.Family;
import dev.paddock.benchmarks.measure.Faults;
import dev.paddock.benchmarks.measure.Scope;
import dev.paddock.benchmarks.measure.Series;
import dev.paddock.benchmarks.measure.SmallJvm;
import dev.paddock.benchmarks.measure.Table;
import dev.paddock.benchmarks.report.Goal;
import dev.paddock.benchmarks.row.Entry;
import java.io.IOException;
import java.util.List;

/**
 * Measures the first commands of a JVM, which has interpreted most of the code on a command's path
 * a few times and compiled none of it. Each row has JVMs of its own, in which it takes turns with
 * the row that its goal compares it with.
 */
final class YoungJvm implements Family {
    static final int COMMANDS = 50;
    private static final int FIRST = 10;
    private static final String RATIO = "all ÷ other";

    @Override
    public String name() {
        return "young-jvm";
    }

    @Override
    public Table measure(Scope scope) {
        Table table = new Table(
                name(),
                "the first " + COMMANDS
                        + " 'true' of a JVM, in turns with plain ProcessBuilder or the bare command line",
                "first, ms",
                FIRST + ", p50",
                "all, p50",
                FIRST + " ÷ other",
                RATIO);
        List<Goal> goals = Goal.ALL.stream()
                .filter(goal -> !goal.other().equals("docker-exec"))
                .toList();
        for (Entry entry : scope.rows(goals.stream().map(Goal::row).distinct().toList())) {
            Goal goal = goals.stream()
                    .filter(candidate -> candidate.row().equals(entry.name()))
                    .findFirst()
                    .orElseThrow();
            table.goal(entry.label(), RATIO, "≤ " + goal.goal());
            try {
                measure(scope, entry, goal.other(), table);
            } catch (IOException | RuntimeException fault) {
                table.miss(entry.label(), Faults.message(fault));
            }
        }
        return table;
    }

    private static void measure(Scope scope, Entry entry, String other, Table table) throws IOException {
        Series start = new Series();
        Series first = new Series();
        Series otherFirst = new Series();
        Series all = new Series();
        Series otherAll = new Series();
        for (int round = 0; round < scope.rounds(4, 10); round++) {
            List<Double> times =
                    SmallJvm.run("256m", YoungJvmProgram.class, scope.settings().image(), entry.name(), other);
            start.add(round, times.getFirst());
            for (int command = 0; command < COMMANDS; command++) {
                int sample = round * COMMANDS + command;
                all.add(sample, times.get(2 * command));
                otherAll.add(sample, times.get(2 * command + 1));
                if (command < FIRST) {
                    first.add(sample, times.get(2 * command));
                    otherFirst.add(sample, times.get(2 * command + 1));
                }
            }
            System.err.print(".");
        }
        table.add(
                entry.name(),
                entry.label(),
                all.size(),
                List.of(start.p50(), first.p50(), all.p50(), first.ratio(otherFirst), all.ratio(otherAll)));
    }
}
