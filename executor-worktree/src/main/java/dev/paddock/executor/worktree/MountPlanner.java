package dev.paddock.executor.worktree;

import dev.paddock.executor.os.file.Pinned;
import dev.paddock.executor.worktree.files.DirectoryCache;
import dev.paddock.executor.worktree.files.FileStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
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
     * The cost of mounts is superlinear at a sandbox's start, since bubblewrap and the kernel scan all of them for each
     * one. Settlement protects paths without a mount.
     */
    private static final int MAX_MOUNTS = 64;

    private static final Comparator<Path> NEAREST = MountPlanner::compareDepth;

    private final GuardedPaths paths;
    private final ShownConfigurations configurations;

    /** Written out: the JDK generates its comparators at each start of a program. */
    private static int compareDepth(Path one, Path other) {
        int byDepth = Integer.compare(one.getNameCount(), other.getNameCount());
        return byDepth != 0 ? byDepth : one.compareTo(other);
    }

    /**
     * Creates a planner.
     *
     * @param own a directory that this JVM has created, for files that are mounted over others
     */
    MountPlanner(GuardedPaths paths, Path own) {
        this.paths = paths;
        this.configurations = new ShownConfigurations(own);
    }

    /**
     * Returns the mounts for the protected paths, those nearest to the worktree's root first if there are too many. A
     * path that cannot be a program argument gets none.
     *
     * @param repositories the roots of the repositories in the worktree
     */
    ProtectionPlan plan(Collection<Path> repositories) {
        DirectoryCache cache = new DirectoryCache(); // not shared: a command may run meanwhile
        List<Path> nearest = new ArrayList<>(repositories);
        nearest.sort(NEAREST);
        Map<Path, String> readOnly = new TreeMap<>();
        int next = 0;
        do { // at least once, for the worktree itself
            int end = Math.min(next + MAX_MOUNTS / 2, nearest.size());
            addMounts(paths.existing(nearest.subList(next, end), cache), cache, readOnly);
            next = end;
        } while (next < nearest.size() && readOnly.size() < MAX_MOUNTS);
        List<Path> writable = paths.writable();
        return new ProtectionPlan(
                writable,
                pins(readOnly.keySet(), writable),
                new ArrayList<>(readOnly.keySet()),
                new ArrayList<>(readOnly.values()),
                configurations.of(readOnly.keySet()));
    }

    private void addMounts(Map<Path, Path> guarded, DirectoryCache cache, Map<Path, String> readOnly) {
        Set<Path> candidates = new TreeSet<>(NEAREST);
        guarded.forEach((path, owner) -> {
            if (isArgument(path) && cache.at(Pinned.parentOf(path)).has(String.valueOf(path.getFileName()))) {
                mountable(path, owner).filter(MountPlanner::isArgument).ifPresent(candidates::add);
            }
        });
        for (Path path : candidates) {
            if (readOnly.size() < MAX_MOUNTS) {
                readOnly.computeIfAbsent(path, Baseline::identity);
            }
        }
    }

    /**
     * Returns the paths that a sandbox can deny: those that exist and those that may not be created, and for a link at
     * a protected name also its target.
     *
     * @param guarded all protected paths, each with its owner
     * @return in order; without the {@code .git} of a directory that is no repository
     */
    List<Path> refusable(Map<Path, Path> guarded) {
        Set<Path> refusable = new TreeSet<>();
        guarded.forEach((path, owner) -> {
            if (!path.equals(owner) || Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                refusable.add(path);
                mountable(path, owner).ifPresent(refusable::add);
            }
        });
        return new ArrayList<>(refusable);
    }

    /**
     * Returns the path that a mount can protect: the path itself, or the target of a link at it, if that is in the
     * worktree. Empty for a link on another protected path: the rest behind the link is not protected.
     *
     * @param owner as {@link GuardedPaths#in} returns it
     */
    private Optional<Path> mountable(Path path, Path owner) {
        try {
            if (FileStatus.of(path).isEmpty()) {
                return Optional.empty();
            }
            Path real = path.toRealPath();
            return real.equals(path) || (real.startsWith(paths.root()) && !paths.isTarget(path, List.of(owner)))
                    ? Optional.of(real)
                    : Optional.empty();
        } catch (IOException vanished) {
            return Optional.empty();
        }
    }

    /** A path with undecodable bytes cannot be passed to a program. */
    private static boolean isArgument(Path path) {
        return path.toString().indexOf('\ufffd') < 0;
    }

    private List<Path> pins(Set<Path> readOnly, List<Path> writable) {
        Set<Path> pins = new TreeSet<>();
        for (Path path : readOnly) {
            Path parent = path.getParent();
            while (parent != null
                    && !parent.equals(paths.root())
                    && !writable.contains(parent)
                    && (parent.startsWith(paths.root()) || writable.stream().anyMatch(parent::startsWith))) {
                pins.add(parent);
                parent = parent.getParent();
            }
        }
        return new ArrayList<>(pins);
    }
}
