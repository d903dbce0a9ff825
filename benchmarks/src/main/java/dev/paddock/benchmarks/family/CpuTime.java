package dev.paddock.benchmarks.family;

import com.sun.management.OperatingSystemMXBean;
import dev.paddock.benchmarks.measure.Family;
import dev.paddock.benchmarks.measure.Scope;
import dev.paddock.benchmarks.measure.Series;
import dev.paddock.benchmarks.measure.Suite;
import dev.paddock.benchmarks.measure.SuiteResult;
import dev.paddock.benchmarks.measure.Table;
import dev.paddock.benchmarks.measure.Turn;
import dev.paddock.benchmarks.row.Catalogue;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Measures the processor time per command: that of the JVM and of all child processes that it has
 * reaped, as the kernel counts both. The time of the commands and their sandboxes is included, also
 * that of the warm slots for the next commands. The time of a container engine is not, so that for
 * containers only the JVM's own share is reported.
 *
 * <p>Before each command, and before the clocks are read, the measurement waits until the machine
 * is quiet: by then the next warm slot has been made, so that each command takes one. The time of
 * this waiting itself is not counted.
 */
final class CpuTime implements Family {
    private static final int COMMANDS = 40;
    private static final double TICKS_A_SECOND = 100; // USER_HZ, which the kernel's interface fixes
    private static final int CHILDREN_USER = 13; // index after the program's name, as the next

    @Override
    public String name() {
        return "cpu";
    }

    @Override
    public Table measure(Scope scope) {
        Table table = new Table(
                name(),
                "processor time of a 'true', its slot included, ms; an engine's is not in it",
                "both",
                "this JVM",
                "its children",
                "both ÷ plain");
        try (Suite suite = Suite.open(scope.rows(Catalogue.SIDE_BY_SIDE), scope.place())) {
            SuiteResult measured = suite.measure(1, scope.rounds(3, 8), CpuTime::take);
            Series plain = measured.of(Catalogue.PLAIN).of("both");
            table.fill(suite, measured, "both", (entry, samples) -> {
                boolean whole = !entry.name().startsWith("docker");
                return List.of(
                        whole ? samples.of("both").mean() : Double.NaN,
                        samples.of("jvm").mean(),
                        whole ? samples.of("children").mean() : Double.NaN,
                        whole ? samples.of("both").ratio(plain) : Double.NaN);
            });
        }
        return table;
    }

    private static void take(Turn turn) throws IOException {
        turn.await();
        double waiting = 0;
        double jvm = ofThisJvm();
        double children = ofChildren();
        for (int each = 0; each < COMMANDS; each++) {
            turn.row().run("true");
            double before = ofThisThread();
            turn.await();
            waiting += ofThisThread() - before;
        }
        double mine = (ofThisJvm() - jvm - waiting) / COMMANDS;
        double theirs = (ofChildren() - children) / COMMANDS;
        turn.value("jvm", mine);
        turn.value("children", theirs);
        turn.value("both", mine + theirs);
    }

    /** Returns this JVM's processor time in milliseconds. */
    static double ofThisJvm() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime() / 1e6;
    }

    private static double ofThisThread() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e6;
    }

    private static double ofChildren() throws IOException {
        Path state = Path.of("/proc/self/stat");
        if (!Files.exists(state)) {
            throw new IOException(
                    System.getProperty("os.name", "this system").toLowerCase(Locale.ROOT) + " does not report it");
        }
        String line = Files.readString(state);
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[CHILDREN_USER]) + Long.parseLong(fields[CHILDREN_USER + 1]))
                * 1000
                / TICKS_A_SECOND;
    }
}
