package dev.paddock.executor.worktree.git.index;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The result of reading an index. */
public sealed interface IndexReading {

    /**
     * Every byte is as git writes it, and every name is one that git would take from a tree.
     *
     * @param hidden the names of the entries with the flag skip-worktree or assume-unchanged, escaped for a message
     * @param obeyed prefixes of the hashes of the {@linkplain ObeyedNames selected} entries, by their names' bytes
     */
    record Verified(Set<String> hidden, Map<String, Long> obeyed) implements IndexReading {
        public Verified {
            // Not Set.copyOf, which is quadratic for names that a command chose to have the same hash.
            hidden = Collections.unmodifiableSet(new LinkedHashSet<>(hidden));
            obeyed = Collections.unmodifiableMap(new TreeMap<>(obeyed));
        }

        /** Creates the result for an index without a selected entry. */
        public Verified(Set<String> hidden) {
            this(hidden, Map.of());
        }
    }

    /**
     * Git does not write such a file.
     *
     * @param reason the defect, as a clause for a message
     */
    record Refused(String reason) implements IndexReading {}
}
