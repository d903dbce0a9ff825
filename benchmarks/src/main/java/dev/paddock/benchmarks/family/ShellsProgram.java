package dev.paddock.benchmarks.family;

import dev.paddock.benchmarks.measure.SmallJvm;
import dev.paddock.executor.host.HostExecutor;
import dev.paddock.harness.AgentSession;
import dev.paddock.harness.events.SessionEvent;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Starts the given number of background shells in this JVM and prints what they cost while they are
 * idle.
 */
final class ShellsProgram {
    private static final double KIB = 1024;
    private static final double MIB = 1024 * 1024;
    private static final long SETTLING_NANOS = TimeUnit.SECONDS.toNanos(6); // idle threads end after 5

    private ShellsProgram() {}

    public static void main(String[] arguments) throws IOException {
        int number = Integer.parseInt(arguments[0]);
        Path worktree = Path.of(arguments[1]);
        int seconds = Integer.parseInt(arguments[2]);
        AtomicInteger failures = new AtomicInteger();
        try (AgentSession session = AgentSession.builder()
                .model(new BashCallModel("sleep 600", number, true))
                .cwd(worktree)
                .executor(HostExecutor.create())
                .maxBackgroundShells(number)
                .listener(event -> {
                    if (event instanceof SessionEvent.ToolEnded ended
                            && ended.result().isError()) {
                        failures.incrementAndGet();
                    }
                })
                .build()) {
            double before = heap();
            session.prompt("Go on.");
            if (failures.get() > 0) {
                throw new IOException(failures + " shells could not be started");
            }
            LockSupport.parkNanos(SETTLING_NANOS);
            double after = heap();
            SmallJvm.print((after - before) / KIB / number);
            SmallJvm.print(after / MIB);
            SmallJvm.print(resident());
            SmallJvm.print(ManagementFactory.getThreadMXBean().getThreadCount());
            SmallJvm.print(descriptors());
            SmallJvm.print(idle(seconds));
        }
    }

    private static double heap() {
        for (int time = 0; time < 3; time++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static double resident() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / KIB)
                    .findFirst()
                    .orElse(Double.NaN);
        }
    }

    private static double descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count() - 1; // the directory itself
        }
    }

    /** Returns the milliseconds of processor time in each second. */
    private static double idle(int seconds) {
        double before = CpuTime.ofThisJvm();
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(seconds));
        return (CpuTime.ofThisJvm() - before) / seconds;
    }
}
