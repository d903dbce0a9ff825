package dev.paddock.executor.sandbox.worktree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Chooses the mounts with which a sandbox prevents changes of protected paths. */
final class MountPlanner {

    /**
     * Mounts cost a sandbox's start more than linearly, since bubblewrap and the kernel go through
     * all of them for each. Settlement protects the paths that have none.
     */
    private static final int MOST_MOUNTS = 64;

    private final GuardedPaths territory;

    MountPlanner(GuardedPaths territory) {
        this.territory = territory;
    }

    /**
     * Returns the mounts for these protected paths, those nearest to the worktree's root first if
     * there are too many. A path that cannot be an argument of a program has none.
     */
    ProtectionPlan plan(Collection<Path> guarded) {
        Set<Path> candidates = new TreeSet<>(
                Comparator.<Path>comparingInt(Path::getNameCount).thenComparing(Comparator.naturalOrder()));
        for (Path path : guarded) {
            mountable(path).filter(MountPlanner::isArgument).ifPresent(candidates::add);
        }
        Map<Path, String> readOnly = new TreeMap<>();
        candidates.stream().limit(MOST_MOUNTS).forEach(path -> readOnly.put(path, Baseline.identity(path)));
        List<Path> writable = territory.writable();
        return new ProtectionPlan(
                writable,
                pins(readOnly.keySet(), writable),
                new ArrayList<>(readOnly.keySet()),
                new ArrayList<>(readOnly.values()));
    }

    /**
     * Returns the path that a mount can protect: the path itself, or the target of a link in its
     * place if that is in the worktree.
     */
    Optional<Path> mountable(Path path) {
        if (!Files.exists(path)) {
            return Optional.empty();
        }
        try {
            Path real = path.toRealPath();
            return real.equals(path) || real.startsWith(territory.root()) ? Optional.of(real) : Optional.empty();
        } catch (IOException vanished) {
            return Optional.empty();
        }
    }

    /** A path with bytes that are no text cannot be passed to a program. */
    private static boolean isArgument(Path path) {
        return path.toString().indexOf('\ufffd') < 0;
    }

    private List<Path> pins(Set<Path> readOnly, List<Path> writable) {
        Set<Path> pins = new TreeSet<>();
        for (Path path : readOnly) {
            Path parent = path.getParent();
            while (parent != null
                    && !parent.equals(territory.root())
                    && !writable.contains(parent)
                    && (parent.startsWith(territory.root()) || writable.stream().anyMatch(parent::startsWith))) {
                pins.add(parent);
                parent = parent.getParent();
            }
        }
        return new ArrayList<>(pins);
    }
}
