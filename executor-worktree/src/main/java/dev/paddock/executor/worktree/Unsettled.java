package dev.paddock.executor.worktree;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The changes that killed sessions have not settled.
 *
 * @param accepted the paths whose state the user has accepted since
 * @param seenAlive when processes of the commands were still there, in milliseconds since 1970; 0
 *     if none were
 */
record Unsettled(List<Part> parts, Set<Path> accepted, long seenAlive) {

    /**
     * The changes in one directory.
     *
     * @param scope the paths that the snapshot decides on
     * @param since a time after the snapshot and before the commands, in milliseconds since 1970
     * @param lastBeat when the commands were live for certain, in milliseconds since 1970
     */
    record Part(Predicate<Path> scope, Snapshot snapshot, long since, long lastBeat) {}

    /** Returns whether a path has to be settled. */
    boolean covers(Path path) {
        return parts.stream().anyMatch(part -> part.scope().test(path));
    }

    /** Returns a time before all commands, in milliseconds since 1970. */
    long since() {
        return parts.stream().mapToLong(Part::since).min().orElse(0);
    }

    /** Returns when commands that could change a path were live for certain. */
    long lastBeat(Path path) {
        return parts.stream().filter(part -> part.scope().test(path)).mapToLong(Part::lastBeat).max().stream()
                .map(beat -> Math.max(beat, seenAlive))
                .findFirst()
                .orElse(0);
    }

    /** Returns the last baseline. */
    Snapshot snapshot() {
        return parts.stream().map(part -> part.snapshot().of(part.scope())).reduce(Snapshot.NONE, Snapshot::and);
    }
}
