package dev.paddock.executor.worktree;

import dev.paddock.executor.worktree.files.FileStatus;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The unreadable directories of a tree, which may hide a repository. */
final class ClosedDirectories {
    private static final String UNREADABLE = "unreadable";

    private final List<Path> roots;

    /** The directories, with their inode and change time. */
    private final Map<Path, String> stamps = new TreeMap<>();

    /** Those that were unreadable before the currently running commands. */
    private Map<Path, String> accepted = Map.of();

    /**
     * Creates an empty set.
     *
     * @param roots the roots of the tree: no directory above them is recorded
     */
    ClosedDirectories(List<Path> roots) {
        this.roots = roots;
    }

    /** Records a directory that cannot be listed, or its parent if that cannot be entered. */
    void add(Path path) {
        String stamp = stamp(path);
        Path parent = path.getParent();
        if (stamp.equals(UNREADABLE) && parent != null && roots.stream().anyMatch(parent::startsWith)) {
            add(parent);
        } else if (!stamp.isEmpty()) {
            stamps.put(path, stamp);
        }
    }

    /** Forgets a directory and those below it. */
    void remove(Path directory) {
        stamps.keySet().removeIf(path -> path.startsWith(directory));
    }

    void clear() {
        stamps.clear();
    }

    /**
     * Waits until any later change of a directory must change its stamp: a command could open and close again,
     * unnoticed, a directory that the user closed within the same clock tick.
     */
    void awaitTick() {
        for (Path directory : stamps.keySet()) {
            try {
                FileStatus.of(directory).ifPresent(FileStatus::awaitTick);
            } catch (IOException unreadable) {
                // Its stamp proves nothing.
            }
        }
    }

    /** Accepts directories as closed by the user. */
    void accept(Map<Path, String> users) {
        accepted = users;
    }

    /**
     * Returns whether a directory can be entered but not listed. Its stamp does not show changes in its files, nor in
     * directories below it.
     */
    static boolean hidesChanges(Path directory) {
        try {
            return !Files.isReadable(directory)
                    && FileStatus.of(directory.resolve(".")).isPresent();
        } catch (AccessDeniedException closed) {
            return false;
        } catch (IOException unknown) {
            return true;
        }
    }

    Map<Path, String> all() {
        return Map.copyOf(stamps);
    }

    Set<Path> changed() {
        Set<Path> changed = new TreeSet<>();
        stamps.forEach((directory, stamp) -> {
            if (!stamp.equals(stamp(directory))) {
                changed.add(directory);
            }
        });
        return changed;
    }

    Set<Path> byCommands() {
        Set<Path> others = new TreeSet<>();
        stamps.forEach((directory, stamp) -> {
            if (!stamp.equals(accepted.get(directory))) {
                others.add(directory);
            }
        });
        return others;
    }

    private static String stamp(Path directory) {
        try {
            return FileStatus.of(directory)
                    .map(status -> status.identity() + ' ' + status.changed())
                    .orElse("");
        } catch (IOException unreadable) {
            return UNREADABLE;
        }
    }
}
