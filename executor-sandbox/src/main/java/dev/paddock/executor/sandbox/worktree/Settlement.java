package dev.paddock.executor.sandbox.worktree;

import dev.paddock.executor.sandbox.worktree.git.PathBytes;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Examines every protected path after a command, each by itself: what cannot be read counts as
 * changed, and a fault with one path leaves the others protected.
 */
final class Settlement {
    private static final Logger LOG = System.getLogger(Settlement.class.getName());

    /** A path that has to be removed more often is being created again by a live command. */
    private static final int MOST_REMOVALS = 3;

    private final GuardedPaths paths;
    private final Baseline baseline;
    private final GuardStore store;
    private final Trust trust;
    private final Removal removal;
    private final FreshRepository fresh;
    private final Set<String> notices = new LinkedHashSet<>();
    private final Map<Path, Integer> removals = new HashMap<>();
    private final Set<Path> unrestorable = new HashSet<>();
    private final Map<Path, String> stuck = new TreeMap<>();

    /** What may be concluded without comparing contents. */
    interface Trust {

        /**
         * Returns whether an equal fingerprint proves an unchanged file: one command alone has run,
         * and no process of it is alive.
         */
        boolean fingerprints();

        /** Returns whether every live command mounts this very file or directory read-only. */
        boolean mountedForAll(Path path, String identity);
    }

    Settlement(GuardedPaths paths, Baseline baseline, GuardStore store, Trust trust) {
        this.paths = paths;
        this.baseline = baseline;
        this.store = store;
        this.trust = trust;
        this.removal = new Removal(store);
        this.fresh = new FreshRepository(paths);
    }

    /** Returns a sentence for each file that was moved or restored, or that the user should check. */
    List<String> notices() {
        return new ArrayList<>(notices);
    }

    /** Returns the paths that could not be removed, with the reasons. */
    Map<Path, String> stuck() {
        return stuck;
    }

    /**
     * Examines paths once.
     *
     * @param guarded the protected paths, parents before children, each with its owner
     * @return whether a path was changed, so that another pass has to confirm the result
     */
    boolean pass(Map<Path, Path> guarded) {
        boolean changed = false;
        for (Map.Entry<Path, Path> entry : guarded.entrySet()) {
            Path path = entry.getKey();
            try {
                changed |= !stuck.containsKey(path) && examine(path, entry.getValue());
            } catch (RuntimeException fault) {
                LOG.log(Level.WARNING, "A protected path could not be settled", fault);
                stuck.put(path, "it could not be examined: " + fault);
            }
        }
        return changed;
    }

    private boolean examine(Path path, Path owner) {
        boolean known = baseline.knows(owner);
        Fingerprint before = known ? baseline.before(path) : Fingerprint.ABSENT;
        Fingerprint now = Fingerprint.of(path);
        if (before.isAbsent()) {
            return !now.isAbsent() && added(path, known);
        }
        if (isUnchanged(path, before, now)) {
            return false;
        }
        if (now.isAbsent() && (unrestorable.contains(path) || isGone(owner))) {
            return false;
        }
        return restore(path);
    }

    private boolean isUnchanged(Path path, Fingerprint before, Fingerprint now) {
        boolean same = before.matches(now);
        if (same && trust.fingerprints() && before.conclusive()) {
            return true;
        }
        return store.isOriginal(paths.territory(path), path)
                || (same && store.original(path).isEmpty())
                || isTheHosts(path, before, now);
    }

    /**
     * Returns whether a program outside the sandboxes has made the change. The mount of every live
     * command is on this file or directory, so that no command could write to it by this name, and
     * its files had no other name.
     */
    private boolean isTheHosts(Path path, Fingerprint before, Fingerprint now) {
        return now.complete()
                && !before.shared()
                && before.identity().equals(now.identity())
                && trust.mountedForAll(path, now.identity());
    }

    /** Returns whether a directory has disappeared, or a link or a file has taken its place. */
    private boolean isGone(Path owner) {
        try {
            Pinned.unlockedDirectory(paths.territory(owner), owner).close();
            return false;
        } catch (IOException gone) {
            LOG.log(Level.DEBUG, "{0} is no longer there: {1}", owner, gone.getMessage());
            return true;
        }
    }

    private boolean added(Path path, boolean ownerKnown) {
        if (ownerKnown) {
            return quarantine(path);
        }
        boolean changed = false;
        for (Path dangerous : fresh.dangerous(path, notices)) {
            changed |= quarantine(dangerous);
        }
        return changed;
    }

    private boolean quarantine(Path path) {
        Optional<String> removed = remove(path);
        removed.ifPresent(where -> notices.add("The command created the protected path '" + PathBytes.escaped(path)
                + "', which programs of the host obey." + where));
        return removed.isPresent();
    }

    private boolean restore(Path path) {
        String removed = remove(path).orElse("");
        if (stuck.containsKey(path)) {
            return false;
        }
        String lost = store.original(path)
                .map(original -> putBack(original, path))
                .orElse("no copy of it could be kept, because it is too large or could not be read");
        if (!lost.isEmpty()) {
            unrestorable.add(path);
        }
        notices.add("The protected path '" + PathBytes.escaped(path) + "' was changed while a command ran." + removed
                + (lost.isEmpty()
                        ? " The original was restored; if the change was your own, make it again."
                        : " The original could not be restored: " + lost
                                + ". Restore it before you use git or an editor there."));
        return true;
    }

    /** Returns the reason why the original could not be copied; empty if it is back. */
    private String putBack(Path original, Path path) {
        Path directory = Pinned.parentOf(path);
        try (Pinned parent = Pinned.unlockedDirectory(paths.territory(path), directory)) {
            store.restore(original, parent, path.getFileName());
            return "";
        } catch (IOException fault) {
            return fault.getClass().getSimpleName() + " " + fault.getMessage();
        }
    }

    /**
     * Removes the file or directory at a path.
     *
     * @return where it is now, as a sentence; empty if there was none or it is {@link #stuck}
     */
    private Optional<String> remove(Path path) {
        if (removals.getOrDefault(path, 0) == MOST_REMOVALS) {
            stuck.put(path, "a live command creates it again each time that it is removed");
            return Optional.empty();
        }
        removals.merge(path, 1, Integer::sum);
        return switch (removal.remove(paths.territory(path), path)) {
            case Removal.Absent absent -> Optional.empty();
            case Removal.Moved moved ->
                Optional.of(" The new version was moved to '" + PathBytes.escaped(moved.to()) + "'.");
            case Removal.SetAside aside ->
                Optional.of(" The new version was renamed to '" + PathBytes.escaped(aside.to()) + "', since "
                        + aside.why() + ".");
            case Removal.Stuck left -> {
                stuck.put(path, left.why());
                yield Optional.empty();
            }
        };
    }
}
