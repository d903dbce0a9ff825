package dev.paddock.executor.remote.sync;

import dev.paddock.executor.remote.sync.TreeEntry.Kind;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** Decides for each changed path which side's state is copied to the other. */
final class Merge {

    enum Decision {
        /** Copy the host's state, a file or its absence, to the remote side. */
        PUSH,
        /** Copy the remote side's state to the host. */
        PULL,
        /** Both have changed it: as {@code PUSH}, after quarantining the remote side's file. */
        CONFLICT,
        /** As {@code CONFLICT}: the path is protected on the host. */
        PROTECTED
    }

    private final Map<String, SyncedState.Pair> base;
    private final Set<String> unfinished;
    private final Tree here;
    private final Tree there;
    private final BiPredicate<String, Boolean> mayLand;
    private final Set<String> leftAlone = new HashSet<>();
    private final NavigableMap<String, Decision> decisions = new TreeMap<>();

    /**
     * Compares both sides with their last common state, and decides for each path.
     *
     * @param state both sides after the last synchronization
     * @param here the host's tree
     * @param there the remote side's tree
     * @param mayLand whether a path, and whether it exists on the host, may be changed there
     */
    Merge(SyncedState state, Tree here, Tree there, BiPredicate<String, Boolean> mayLand) {
        this.base = state.pairs();
        this.unfinished = state.unfinished();
        this.here = here;
        this.there = there;
        this.mayLand = mayLand;
        leftAlone.addAll(here.closed());
        leftAlone.addAll(there.closed());
        Set<String> specials = here.specials();
        specials.addAll(there.specials());
        leftAlone.addAll(specials);
        Set<String> paths = new HashSet<>(base.keySet());
        paths.addAll(here.entries().keySet());
        paths.addAll(there.entries().keySet());
        for (String path : paths) {
            if (leftAlone.isEmpty() || !(specials.contains(path) || Tree.isBelow(path, leftAlone))) {
                decide(path);
            }
        }
        settleAncestors();
    }

    /** Returns the decisions by path; a directory comes before its entries. */
    NavigableMap<String, Decision> decisions() {
        return decisions;
    }

    private void decide(String path) {
        @Nullable TreeEntry mine = here.get(path);
        @Nullable TreeEntry theirs = there.get(path);
        SyncedState.@Nullable Pair before = base.get(path);
        boolean unfinishedPush = unfinished.contains(path);
        boolean mineChanged = unfinishedPush || !Tree.isUnchanged(mine, before == null ? null : before.here());
        boolean theirsChanged = !unfinishedPush && !Tree.isUnchanged(theirs, before == null ? null : before.there());
        boolean uncertain = before != null && before.uncertain() && theirs != null;
        if (!mineChanged && (theirsChanged || uncertain)) {
            boolean allowed = mayLand.test(path, mine != null);
            decisions.put(path, allowed ? Decision.PULL : Decision.PROTECTED);
        } else if (mineChanged && theirsChanged) {
            if (mine != null || theirs != null) {
                boolean nothingToKeep =
                        theirs == null || (theirs.isDirectory() && (mine == null || mine.isDirectory()));
                decisions.put(path, nothingToKeep ? Decision.PUSH : Decision.CONFLICT);
            }
        } else if (mineChanged) {
            decisions.put(path, Decision.PUSH);
        }
    }

    /** Changes decisions until every remaining path is in a directory. */
    private void settleAncestors() {
        boolean settled = false;
        while (!settled) {
            settled = true;
            for (Map.Entry<String, Decision> each : Map.copyOf(decisions).entrySet()) {
                if (outcome(each.getKey()) != null && !settleAncestors(each.getKey())) {
                    settled = false;
                }
            }
        }
    }

    /** Settles the outermost ancestor that is no directory; returns whether there is none. */
    private boolean settleAncestors(String path) {
        for (int slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
            String ancestor = path.substring(0, slash);
            if (outcome(ancestor) == Kind.DIRECTORY) {
                continue;
            }
            if (decisions.get(path) != Decision.PULL) {
                // The remote side has replaced or removed a directory with a changed file of the host.
                decisions.put(ancestor, there.get(ancestor) == null ? Decision.PUSH : Decision.CONFLICT);
            } else if (here.get(ancestor) == null && mayLand.test(ancestor, false)) {
                // The host has removed a directory in which the remote side has changed a file.
                decisions.put(ancestor, Decision.PULL);
            } else {
                decisions.put(path, Decision.CONFLICT);
            }
            return false;
        }
        return true;
    }

    /** Returns the type that both sides will have at a path; null for nothing. */
    private @Nullable Kind outcome(String path) {
        @Nullable TreeEntry entry = decisions.get(path) == Decision.PULL ? there.get(path) : here.get(path);
        return entry == null ? null : entry.kind();
    }
}
