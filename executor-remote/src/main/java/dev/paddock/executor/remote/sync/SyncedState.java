package dev.paddock.executor.remote.sync;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Records both sides' entries at each path when they were last known to be equal. */
final class SyncedState {

    /**
     * A path's entries when both sides were equal.
     *
     * @param here the host's
     * @param there the remote side's
     * @param uncertain whether the remote side's file may have changed since without a trace, so that its content must
     *     be compared
     */
    record Pair(TreeEntry here, TreeEntry there, boolean uncertain) {}

    private final Map<String, Pair> pairs = new HashMap<>();
    private final Set<String> unfinished = new HashSet<>();
    private int uncertain;

    Map<String, Pair> pairs() {
        return pairs;
    }

    /** Returns the paths whose push was begun, where the remote side may have the host's files. */
    Set<String> unfinished() {
        return unfinished;
    }

    /** Returns whether files may have changed although the list is equal to the last one. */
    boolean isUncertain() {
        return uncertain > 0 || !unfinished.isEmpty();
    }

    /** Records that both sides are equal at a path; null for nothing. */
    void record(String path, @Nullable TreeEntry here, @Nullable TreeEntry there, boolean isUncertain) {
        forget(path);
        unfinished.remove(path);
        if (here != null && there != null) {
            pairs.put(path, new Pair(here, there, isUncertain));
            uncertain += isUncertain ? 1 : 0;
        }
    }

    void forget(String path) {
        Pair before = pairs.remove(path);
        uncertain -= before != null && before.uncertain() ? 1 : 0;
    }

    /** Returns whether the host's tree is the recorded one. */
    boolean matches(Tree here) {
        if (!unfinished.isEmpty()) {
            return false;
        }
        int known = 0;
        for (Map.Entry<String, TreeEntry> each : here.entries().entrySet()) {
            Pair pair = pairs.get(each.getKey());
            if (pair == null) {
                if (each.getValue().kind() != TreeEntry.Kind.SPECIAL) {
                    return false;
                }
            } else if (!each.getValue().isUnchangedSince(pair.here())) {
                return false;
            } else {
                known++;
            }
        }
        return known == pairs.size();
    }
}
