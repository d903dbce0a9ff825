package dev.paddock.executor.sandbox.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Reads and writes the limit files of both versions of cgroups. */
enum GroupFiles {
    VERSION_1("memory.oom_control"),
    VERSION_2("memory.events");

    /** The kernel's default, and Docker's. */
    private static final long CPU_PERIOD_MICROS = 100_000;

    /** The smallest quota that the kernel accepts. */
    private static final long CPU_QUOTA_MIN_MICROS = 1_000;

    private final String oomFile;

    GroupFiles(String oomFile) {
        this.oomFile = oomFile;
    }

    static GroupFiles of(boolean unified) {
        return unified ? VERSION_2 : VERSION_1;
    }

    /** Returns the value to write for a controller: a number, or microseconds of each period. */
    static Optional<String> limit(LimitPlan plan, Controller controller) {
        return switch (controller) {
            case MEMORY -> text(plan.memoryBytes());
            case CPU -> quota(plan.cpus());
            case PROCESSES ->
                plan.groupProcesses().isPresent()
                        ? Optional.of(Integer.toString(plan.groupProcesses().getAsInt()))
                        : Optional.empty();
        };
    }

    private static Optional<String> text(OptionalLong number) {
        return number.isPresent() ? Optional.of(Long.toString(number.getAsLong())) : Optional.empty();
    }

    private static Optional<String> quota(OptionalDouble cpus) {
        if (cpus.isEmpty()) {
            return Optional.empty();
        }
        long micros = Math.round(cpus.getAsDouble() * CPU_PERIOD_MICROS);
        return Optional.of(Long.toString(Math.max(CPU_QUOTA_MIN_MICROS, micros)));
    }

    /** Checks whether a cgroup has the controller's files, and whether they suffice to enforce the limit. */
    boolean limits(Path group, Controller controller, boolean swaps) {
        List<String> needed = switch (controller) {
            case MEMORY ->
                this == VERSION_2
                        ? swaps ? List.of("memory.max", "memory.swap.max") : List.of("memory.max")
                        // Without swap accounting, the kernel would swap out memory over the limit instead.
                        : swaps
                                ? List.of("memory.limit_in_bytes", "memory.memsw.limit_in_bytes")
                                : List.of("memory.limit_in_bytes");
            case CPU -> List.of(this == VERSION_2 ? "cpu.max" : "cpu.cfs_quota_us");
            case PROCESSES -> List.of("pids.max");
        };
        return needed.stream().map(group::resolve).allMatch(Files::isWritable);
    }

    void set(Path group, Controller controller, String limit) throws IOException {
        switch (controller) {
            case MEMORY -> setMemory(group, limit);
            case CPU -> {
                if (this == VERSION_2) {
                    write(group, "cpu.max", limit + " " + CPU_PERIOD_MICROS);
                } else {
                    write(group, "cpu.cfs_period_us", Long.toString(CPU_PERIOD_MICROS));
                    write(group, "cpu.cfs_quota_us", limit);
                }
            }
            case PROCESSES -> write(group, "pids.max", limit);
        }
    }

    private void setMemory(Path group, String limit) throws IOException {
        if (this == VERSION_2) {
            write(group, "memory.max", limit);
            writeIfThere(group, "memory.swap.max", "0");
        } else {
            // In this order: the kernel rejects a limit on memory and swap together below the one on memory alone.
            write(group, "memory.limit_in_bytes", limit);
            writeIfThere(group, "memory.memsw.limit_in_bytes", limit);
        }
    }

    long oomKills(Path group) throws IOException {
        for (String line : Files.readAllLines(group.resolve(oomFile))) {
            if (line.startsWith("oom_kill ")) {
                return Long.parseLong(line.substring("oom_kill ".length()).strip());
            }
        }
        return 0;
    }

    /** Gives a new cgroup its parent's processors and memory nodes, without which the kernel lets no process in. */
    static void copySets(Path parent, Path group) throws IOException {
        for (String file : List.of("cpuset.cpus", "cpuset.mems")) {
            if (Files.exists(group.resolve(file))) {
                write(group, file, Files.readString(parent.resolve(file)).strip());
            }
        }
    }

    static void write(Path group, String file, String value) throws IOException {
        Files.writeString(group.resolve(file), value + "\n", StandardOpenOption.WRITE);
    }

    private static void writeIfThere(Path group, String file, String value) throws IOException {
        if (Files.exists(group.resolve(file))) {
            write(group, file, value);
        }
    }
}
