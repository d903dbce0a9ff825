package dev.paddock.executor.worktree;

import dev.paddock.executor.worktree.files.FileStatus;
import dev.paddock.executor.worktree.files.Fingerprint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of the protected paths before the first of the currently running commands.
 *
 * @param known the paths that existed
 * @param owners the identities of the git directories and roots of repositories that existed
 * @param remembered the paths that disappeared with their owner during an earlier command: a later command may move the
 *     directory back
 * @param lost the identities of those owners
 */
record Baseline(Map<Path, Known> known, Map<Path, String> owners, Map<Path, Known> remembered, Map<Path, String> lost) {

    static final Baseline NONE = new Baseline(Map.of(), Map.of(), Map.of(), Map.of());

    /**
     * The state of a path.
     *
     * @param owner the git directory, or the root of the worktree or of a repository, that it
     *     belongs to
     */
    record Known(Fingerprint state, Path owner) {
        // Written out: the JDK would generate it at each start of a program.
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Known that && state.equals(that.state) && owner.equals(that.owner);
        }

        @Override
        public int hashCode() {
            return 31 * state.hashCode() + owner.hashCode();
        }
    }

    /**
     * Records the current state, and keeps absent paths that disappeared with their owner.
     *
     * @param guarded the existing protected paths, each with its owner; absent ones are harmless
     */
    Baseline next(Map<Path, Path> guarded) {
        Map<Path, Known> current = new HashMap<>();
        Set<Path> holders = new HashSet<>(owners.keySet());
        remembered.values().forEach(path -> holders.add(path.owner()));
        guarded.forEach((path, owner) -> {
            holders.add(owner);
            Known state = state(path, owner);
            if (!state.state().isAbsent()) {
                current.put(path, state);
            }
        });
        Map<Path, String> present = new HashMap<>();
        holders.forEach(owner -> present.put(owner, identity(owner)));
        present.values().removeIf(String::isEmpty);
        Map<Path, Known> gone = new HashMap<>(remembered);
        gone.putAll(known);
        gone.values().removeIf(path -> present.containsKey(path.owner()));
        Map<Path, String> goneOwners = new HashMap<>(lost);
        goneOwners.putAll(owners);
        goneOwners.keySet().removeAll(present.keySet());
        return new Baseline(current, present, gone, goneOwners);
    }

    /** Returns the current state of a path: the same object if unchanged. */
    private Known state(Path path, Path owner) {
        Known before = known.get(path);
        if (before == null) {
            return new Known(Fingerprint.of(path), owner);
        }
        Fingerprint now = before.state().again(path, true);
        return now.equals(before.state()) && before.owner().equals(owner) ? before : new Known(now, owner);
    }

    Fingerprint before(Path path) {
        Known before = known.getOrDefault(path, remembered.get(path));
        return before == null ? Fingerprint.ABSENT : before.state();
    }

    /** Returns whether an owner existed before the commands, or disappeared during an earlier command and is back. */
    boolean knows(Path owner) {
        String identity = lost.get(owner);
        return owners.containsKey(owner) || (identity != null && identity.equals(identity(owner)));
    }

    /** Returns the paths with a state, each with its owner. */
    Map<Path, Path> paths() {
        Map<Path, Path> paths = new HashMap<>();
        remembered.forEach((path, state) -> paths.put(path, state.owner()));
        known.forEach((path, state) -> paths.put(path, state.owner()));
        return paths;
    }

    /** Returns the state of each path whose original must be copied. */
    Map<Path, Fingerprint> states() {
        Map<Path, Fingerprint> states = new HashMap<>();
        remembered.forEach((path, before) -> states.put(path, before.state()));
        known.forEach((path, before) -> states.put(path, before.state()));
        return states;
    }

    /** Returns device and inode of a file or directory; empty if it does not exist. */
    static String identity(Path path) {
        try {
            return FileStatus.of(path).map(FileStatus::identity).orElse("");
        } catch (IOException unreadable) {
            return "";
        }
    }
}
