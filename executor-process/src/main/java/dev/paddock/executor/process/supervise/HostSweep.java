package dev.paddock.executor.process.supervise;

import dev.paddock.executor.Signal;
import dev.paddock.executor.annotation.Api;
import dev.paddock.executor.os.table.OwnerId;
import dev.paddock.executor.os.table.ProcessTable;
import dev.paddock.executor.process.end.BoundedWait;
import dev.paddock.executor.upkeep.SweepMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Ends processes that commands of dead JVMs left on this machine, where the reaper of those JVMs has died as well
 * (C12).
 *
 * @since 0.1
 */
@Api(status = Api.Status.INTERNAL)
@SuppressWarnings("exports") // only modules that the process table is exported to use it
public final class HostSweep {

    private static final long BETWEEN_SEARCHES_MILLIS = 10;

    private HostSweep() {}

    /**
     * Ends every process whose marker names an owner that is proven dead.
     *
     * @param mode whether to end or only list them
     * @return a phrase for each process that was ended or would be, and for each that could not be
     */
    public static List<String> run(SweepMode mode) {
        ProcessTable table = ProcessTable.ofThisMachine();
        List<String> done = new ArrayList<>();
        for (ProcessTable.Row row : table.all()) {
            Optional<OwnerId> owner = row.marker().get().flatMap(HostSweep::ownerOf);
            if (owner.filter(OwnerId::provenDead).isPresent()) {
                String process = "process " + row.pid() + " of the dead process "
                        + owner.get().pid();
                done.add(mode.apply(
                        "end " + process,
                        () -> (ExactSignal.send(table, row, Signal.KILL) ? "ended " : "could not end ") + process));
            }
        }
        return done;
    }

    /**
     * The result of ending dead owners' processes.
     *
     * @param any whether there were any
     * @param left the ids of survivors, and of the reapers that wait for others
     * @param containers the containers with survivors
     */
    public record Ended(boolean any, List<Long> left, Set<String> containers) {}

    /**
     * Ends the processes of some dead JVMs, as {@link #run} does, and those in some containers. Waits until they have
     * exited, and the reapers of these JVMs, which find more processes than the marker does.
     *
     * @param owners chooses among the owners that are proven dead
     * @param containers the engine's ids of containers that these owners left
     * @param bound the longest time to wait
     * @return whether any was found, and the survivors
     */
    public static Ended awaitEnd(Predicate<OwnerId> owners, Set<String> containers, Duration bound) {
        long deadline = System.nanoTime() + bound.toNanos();
        boolean any = false;
        while (true) {
            List<Long> left = new ArrayList<>();
            Set<String> inside = new TreeSet<>();
            for (ProcessTable.Row row : ProcessTable.ofThisMachine().all()) {
                Optional<String> container = containerOf(row.pid(), containers);
                container.ifPresent(inside::add);
                if (container.isPresent() || isOf(row.marker().get(), owners)) {
                    ExactSignal.send(ProcessTable.ofThisMachine(), row, Signal.KILL);
                    left.add(row.pid());
                }
                if (isOf(reaps(row.pid()), owners)) {
                    left.add(row.pid());
                }
            }
            any |= !left.isEmpty();
            if (left.isEmpty() || System.nanoTime() - deadline > 0) {
                return new Ended(any, left, inside);
            }
            BoundedWait.millis(BETWEEN_SEARCHES_MILLIS);
        }
    }

    /**
     * Returns whether this machine runs a process of a container. All processes in a container are in its control
     * groups, whose names contain its id, and none can leave them.
     *
     * @param container the engine's id of it
     */
    public static boolean isRunning(String container) {
        return ProcessTable.ofThisMachine().all().stream()
                .anyMatch(row -> containerOf(row.pid(), Set.of(container)).isPresent());
    }

    private static Optional<String> containerOf(long pid, Set<String> containers) {
        if (containers.isEmpty()) {
            return Optional.empty();
        }
        try {
            String groups =
                    Files.readString(Path.of("/proc", Long.toString(pid), "cgroup"), StandardCharsets.ISO_8859_1);
            return containers.stream().filter(groups::contains).findFirst();
        } catch (IOException endedOrOtherSystem) {
            return Optional.empty();
        }
    }

    private static boolean isOf(Optional<String> marker, Predicate<OwnerId> owners) {
        return marker.flatMap(HostSweep::ownerOf)
                .filter(owner -> owners.test(owner) && owner.provenDead())
                .isPresent();
    }

    /** Returns the marker prefix that a reaper searches for; empty for any other process. */
    private static Optional<String> reaps(long pid) {
        try {
            List<String> words = List.of(
                    Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"), StandardCharsets.ISO_8859_1)
                            .split("\0", -1));
            int name = words.indexOf(Reaper.NAME);
            return name >= 0 && name + 2 < words.size() ? Optional.of(words.get(name + 2)) : Optional.empty();
        } catch (IOException endedOrOtherSystem) {
            return Optional.empty();
        }
    }

    private static Optional<OwnerId> ownerOf(String marker) {
        int end = marker.indexOf(':');
        return end < 0 ? Optional.empty() : OwnerId.parse(marker.substring(0, end));
    }
}
