package dev.paddock.benchmarks.family;

import dev.paddock.benchmarks.measure.SmallJvm;
import dev.paddock.benchmarks.row.BenchmarkWorktree;
import dev.paddock.benchmarks.row.Catalogue;
import dev.paddock.benchmarks.row.Entry;
import dev.paddock.benchmarks.row.Row;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Runs the first commands of this JVM in two rows, in turns, and prints their milliseconds. */
final class YoungJvmProgram {

    private YoungJvmProgram() {}

    /**
     * Runs the commands.
     *
     * @param arguments the image, and the names of two rows
     */
    public static void main(String[] arguments) throws IOException {
        List<Double> times = new ArrayList<>();
        try (BenchmarkWorktree place = BenchmarkWorktree.create();
                Row row = open(arguments[1], arguments[0], place);
                Row other = open(arguments[2], arguments[0], place)) {
            for (int command = 0; command < YoungJvm.COMMANDS; command++) {
                times.add(sample(row));
                times.add(sample(other));
            }
        }
        times.forEach(SmallJvm::print);
    }

    private static Row open(String name, String image, BenchmarkWorktree place) throws IOException {
        Entry entry = Catalogue.entries(image).stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no row is called " + name));
        return entry.opening().open(place);
    }

    private static double sample(Row row) throws IOException {
        LockSupport.parkNanos(row.settling().toNanos());
        return row.run("true").exit() / 1e6;
    }
}
