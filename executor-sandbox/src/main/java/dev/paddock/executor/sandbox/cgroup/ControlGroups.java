package dev.paddock.executor.sandbox.cgroup;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.table.OwnerId;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.upkeep.SweepMode;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Detects where this process can create cgroups, creates them and sweeps abandoned ones. Creates a cgroup below the
 * process's own, so that limits of the process bind its commands as well. With version 2, where a cgroup that contains
 * processes cannot delegate controllers, creates it as a sibling if necessary.
 */
public final class ControlGroups {
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private static final System.Logger LOG = LateLogger.of(ControlGroups.class);

    private static final Path PROC = Path.of("/proc");

    /** Replaces the backend's name in the names of the cgroups with which this class probes. */
    private static final String PROBE = "probe";

    /**
     * The version 1 hierarchies from which runtimes read their limits: the JVM ignores those on memory unless it finds
     * all four.
     */
    private static final List<String> READ_BY_RUNTIMES = List.of("memory", "cpu", "cpuacct", "cpuset");

    private final Map<Controller, Parent> parents;
    private final Map<String, Path> readByRuntimes;

    /**
     * A directory in which cgroups can be created.
     *
     * @param unified whether it belongs to version 2
     */
    record Parent(Path directory, boolean unified) {}

    private ControlGroups(Map<Controller, Parent> parents, Map<String, Path> readByRuntimes) {
        this.parents = Map.copyOf(parents);
        this.readByRuntimes = Map.copyOf(readByRuntimes);
    }

    /** Detects the usable hierarchies by creating and removing a cgroup for each controller. */
    public static ControlGroups detect() {
        return detect(PROC);
    }

    /** Detects the usable hierarchies with another {@code /proc}. */
    static ControlGroups detect(Path proc) {
        Map<Controller, Parent> parents = new EnumMap<>(Controller.class);
        Map<String, Path> readByRuntimes = new HashMap<>();
        try {
            CgroupMounts hierarchies = CgroupMounts.read(proc);
            boolean swaps = hasSwap(proc);
            for (Controller controller : Controller.values()) {
                candidates(hierarchies, controller).stream()
                        .filter(parent -> works(controller, parent, swaps))
                        .findFirst()
                        .ifPresent(parent -> parents.put(controller, parent));
            }
            for (String name : READ_BY_RUNTIMES) {
                hierarchies.version1(name).ifPresent(directory -> readByRuntimes.put(name, directory));
            }
        } catch (IOException unreadable) {
            LOG.log(Level.DEBUG, "The control groups of this process cannot be read; none will be made", unreadable);
        }
        return new ControlGroups(parents, readByRuntimes);
    }

    private static List<Parent> candidates(CgroupMounts hierarchies, Controller controller) {
        Optional<Path> first = hierarchies.version1(controller.kernelName());
        if (first.isPresent()) {
            return List.of(new Parent(first.get(), false));
        }
        return hierarchies.version2().stream()
                .map(directory -> new Parent(directory, true))
                .toList();
    }

    private static boolean works(Controller controller, Parent parent, boolean swaps) {
        Path probe = parent.directory().resolve(newName(PROBE));
        try {
            Files.createDirectory(probe);
        } catch (IOException refused) {
            LOG.log(Level.DEBUG, () -> "No control group can be made in " + parent.directory() + ": " + refused);
            return false;
        }
        boolean there = GroupFiles.of(parent.unified()).limits(probe, controller, swaps);
        try {
            Files.delete(probe);
        } catch (IOException fault) {
            LOG.log(
                    Level.WARNING,
                    () -> "The control group " + probe + " could not be removed: " + FileFaults.reason(fault));
        }
        return there;
    }

    private static boolean hasSwap(Path proc) throws IOException {
        try {
            return Files.readAllLines(proc.resolve("swaps")).size() > 1;
        } catch (NoSuchFileException noSwapInThisKernel) {
            return false;
        }
    }

    /** {@return the controllers that can set limits here, maybe none} */
    public Set<Controller> controllers() {
        return parents.keySet();
    }

    /**
     * Creates a cgroup with limits.
     *
     * @param name its name, unique on this machine
     * @param plan the limits; none may need a controller that is not among {@link #controllers()}
     * @return the cgroup, without a process in it; the caller closes it
     * @throws IOException if it cannot be created; no part of it is left
     */
    public ControlGroup create(String name, LimitPlan plan) throws IOException {
        ControlGroup group = new ControlGroup(name);
        try {
            for (Controller controller : Controller.values()) {
                Optional<String> limit = GroupFiles.limit(plan, controller);
                Parent parent = parents.get(controller);
                if (limit.isPresent() && parent != null) {
                    group.limit(parent, controller, limit.get());
                }
            }
            if (plan.memoryBytes().isPresent() || plan.cpus().isPresent()) {
                group.show(readByRuntimes);
            }
        } catch (IOException fault) {
            group.close();
            throw fault;
        }
        return group;
    }

    /**
     * Returns a new name for a cgroup of this JVM, with the owner's id for the {@linkplain #sweep(String, SweepMode)
     * sweep}.
     *
     * @param backend the backend's name
     */
    public static String newName(String backend) {
        return prefix(backend) + OwnerId.current() + "-" + NUMBERS.incrementAndGet();
    }

    private static String prefix(String backend) {
        return "paddock-" + backend + "-";
    }

    /**
     * Removes a backend's cgroups, and those of {@link #detect}, whose owners are proven dead.
     *
     * @param backend the backend's name
     * @param mode whether to remove or only list them
     * @return a phrase for each cgroup that was removed or would be
     */
    public List<String> sweep(String backend, SweepMode mode) {
        return sweep(name -> isAbandoned(name, prefix(backend)) || isAbandoned(name, prefix(PROBE)), mode).stream()
                .map(name -> mode.apply("remove the control group " + name, () -> "removed the control group " + name))
                .toList();
    }

    private static boolean isAbandoned(String name, String prefix) {
        int end = name.lastIndexOf('-');
        return name.startsWith(prefix)
                && end > prefix.length()
                && OwnerId.parse(name.substring(prefix.length(), end))
                        .filter(OwnerId::provenDead)
                        .isPresent();
    }

    /**
     * Removes cgroups that no live process owns.
     *
     * @param abandoned decides by a cgroup's name whether its owner is proven dead
     * @param mode whether to remove or only list them
     * @return the names of the cgroups that were removed or would be
     */
    public List<String> sweep(Predicate<String> abandoned, SweepMode mode) {
        List<String> removed = new ArrayList<>();
        Set<Path> directories = new LinkedHashSet<>();
        parents.values().forEach(parent -> directories.add(parent.directory()));
        directories.addAll(readByRuntimes.values());
        for (Path directory : directories) {
            try (DirectoryStream<Path> groups = Files.newDirectoryStream(directory, Files::isDirectory)) {
                for (Path group : groups) {
                    String name = group.getFileName().toString();
                    if (abandoned.test(name) && (mode == SweepMode.DRY_RUN || ControlGroup.remove(group))) {
                        removed.add(name);
                    }
                }
            } catch (IOException fault) {
                LOG.log(
                        Level.WARNING,
                        () -> "The control groups in " + directory + " cannot be listed: " + FileFaults.reason(fault));
            }
        }
        return removed.stream().distinct().toList();
    }
}
