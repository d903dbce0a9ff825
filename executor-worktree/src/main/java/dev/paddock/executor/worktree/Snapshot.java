package dev.paddock.executor.worktree;

import dev.paddock.executor.worktree.files.Fingerprint;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The state of a worktree before commands, and the copies with which it can be restored.
 *
 * @param git the git directories that existed
 * @param closed the directories that could not be listed, with their stamps
 * @param originals the copies, by the paths of their originals
 */
record Snapshot(
        Baseline baseline, Map<Path, GitBaseline.State> git, Map<Path, String> closed, Map<Path, Path> originals) {

    static final Snapshot NONE = new Snapshot(Baseline.NONE, Map.of(), Map.of(), Map.of());

    Snapshot of(Predicate<Path> scope) {
        return new Snapshot(
                new Baseline(chosen(baseline.known(), scope), chosen(baseline.owners(), scope), Map.of(), Map.of()),
                chosen(git, scope),
                chosen(closed, scope),
                chosen(originals, scope));
    }

    /** Returns the union with another snapshot, whose entries win. */
    Snapshot and(Snapshot other) {
        return new Snapshot(
                new Baseline(
                        union(baseline.known(), other.baseline().known()),
                        union(baseline.owners(), other.baseline().owners()),
                        baseline.remembered(),
                        baseline.lost()),
                union(git, other.git()),
                union(closed, other.closed()),
                union(originals, other.originals()));
    }

    /**
     * Returns this snapshot with the part that concerns some paths taken from another.
     *
     * @param scope whether the other one decides on a path
     */
    Snapshot with(Predicate<Path> scope, Snapshot other) {
        Snapshot rest = of(scope.negate());
        Baseline kept =
                new Baseline(rest.baseline().known(), rest.baseline().owners(), baseline.remembered(), baseline.lost());
        return new Snapshot(kept, rest.git(), rest.closed(), rest.originals()).and(other.of(scope));
    }

    /**
     * Returns the paths that this record applies to. Another session protects the root of its worktree even if that is
     * not a repository, and the targets of its own links. The record of a session that did not protect them does not
     * show whether they existed.
     *
     * @param guarded the directory of the record's journal
     * @param fresh the present state, as the other session sees it
     * @param worktrees the other session's, and those inside it
     */
    Predicate<Path> decides(Path guarded, Snapshot fresh, Set<Path> worktrees) {
        return path -> {
            Baseline.Known now = fresh.baseline().known().get(path);
            Path owner = now == null ? path : now.owner();
            return path.startsWith(guarded)
                    && (owner.equals(guarded)
                            || !worktrees.contains(owner)
                            || knows(owner)
                            || knows(path)
                            || (owner.startsWith(guarded) && fresh.knows(owner.resolve(".git"))));
        };
    }

    /** An owner alone proves nothing: it stays in the baseline after protection ends. */
    private boolean knows(Path path) {
        Path dotGit = path.resolve(".git");
        return baseline.known().containsKey(path)
                || baseline.known().containsKey(dotGit)
                || git.containsKey(path)
                || git.containsKey(dotGit);
    }

    private static <V> Map<Path, V> chosen(Map<Path, V> all, Predicate<Path> scope) {
        Map<Path, V> chosen = new HashMap<>(all);
        chosen.keySet().removeIf(scope.negate());
        return chosen;
    }

    private static <V> Map<Path, V> union(Map<Path, V> one, Map<Path, V> other) {
        Map<Path, V> all = new HashMap<>(one);
        all.putAll(other);
        return all;
    }

    Map<Path, Fingerprint> states() {
        Map<Path, Fingerprint> states = new HashMap<>(baseline.states());
        git.values().forEach(state -> states.putAll(state.originals()));
        return states;
    }

    /**
     * Returns whether the record of another snapshot is valid for this one. Files without a copy may differ: one with
     * older content is judged once more.
     */
    boolean isRecordedBy(Snapshot other) {
        return originals.equals(other.originals)
                && closed.equals(other.closed)
                && baseline.owners().equals(other.baseline.owners())
                && baseline.known().equals(other.baseline.known())
                && isSameGit(other);
    }

    private boolean isSameGit(Snapshot other) {
        return git.keySet().equals(other.git.keySet())
                && git.entrySet().stream().allMatch(entry -> {
                    GitBaseline.State before = other.git.get(entry.getKey());
                    return before != null && isSame(entry.getValue(), before);
                });
    }

    @SuppressWarnings("ReferenceEquality") // unchanged repositories share it
    private static boolean isSame(GitBaseline.State now, GitBaseline.State before) {
        return now == before
                || (now.repository().equals(before.repository())
                        && now.identity().equals(before.identity())
                        && now.entries()
                                .all()
                                .keySet()
                                .equals(before.entries().all().keySet())
                        && now.originals().equals(before.originals()));
    }
}
