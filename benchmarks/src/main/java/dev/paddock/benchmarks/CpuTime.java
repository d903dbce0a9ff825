package dev.paddock.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * Processor time per command, of the JVM and of all that it has waited for, as the kernel counts both. What commands and their
 * sandboxes used is in it, slots that were made for the next ones too; what a container engine used is not.
 */
final class CpuTime implements Family {
    /** Long enough for the next slot to be made, so that each command takes one. */
    private static final long PAUSE_NANOS = 25_000_000;

    private static final double TICKS_A_SECOND = 100; // USER_HZ, which the kernel's interface fixes
    private static final int CHILDREN_USER = 13; // counted from behind the program's name, as the next

    @Override
    public String name() {
        return "cpu";
    }

    @Override
    public Table measure(Scope scope) throws IOException {
        Table table = new Table(
                name(),
                "processor time of a 'true', its slot included, ms",
                "both",
                "this JVM",
                "its children",
                "÷ plain");
        int commands = scope.ifQuick(100, 400);
        List<String> names = Catalogue.SIDE_BY_SIDE.stream()
                .filter(row -> !row.startsWith("docker"))
                .toList();
        for (Entry entry : scope.rows(names)) {
            table.add(entry.name(), entry.label(), () -> {
                try (Row row = entry.opening().open(scope.place())) {
                    run(row, commands / 2);
                    double jvm = ofThisJvm();
                    double children = ofChildren();
                    run(row, commands);
                    double mine = (ofThisJvm() - jvm) / commands;
                    double theirs = (ofChildren() - children) / commands;
                    return List.of(mine + theirs, mine, theirs);
                }
            });
        }
        table.divide(0, Catalogue.PLAIN);
        return table;
    }

    private static void run(Row row, int commands) throws IOException {
        for (int each = 0; each < commands; each++) {
            row.run("true");
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Milliseconds. */
    static double ofThisJvm() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime() / 1e6;
    }

    private static double ofChildren() throws IOException {
        Path state = Path.of("/proc/self/stat");
        if (!Files.exists(state)) {
            throw new IOException(
                    System.getProperty("os.name", "this system").toLowerCase(Locale.ROOT) + " does not tell");
        }
        String line = Files.readString(state);
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[CHILDREN_USER]) + Long.parseLong(fields[CHILDREN_USER + 1]))
                * 1000
                / TICKS_A_SECOND;
    }
}
