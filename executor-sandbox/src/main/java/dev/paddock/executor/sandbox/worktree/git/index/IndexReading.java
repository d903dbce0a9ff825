package dev.paddock.executor.sandbox.worktree.git.index;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/** The result of reading an index. */
public sealed interface IndexReading {

    /**
     * Every byte is as git writes it, and every name is one that git would take from a tree.
     *
     * @param hidden the names of the entries with the flag skip-worktree or assume-unchanged, escaped
     *     for a message
     */
    record Verified(Set<String> hidden) implements IndexReading {
        /** Creates a result. */
        public Verified {
            // Not Set.copyOf: a command can choose names of the same hash, which that compares one by one.
            hidden = Collections.unmodifiableSet(new LinkedHashSet<>(hidden));
        }
    }

    /**
     * Git does not write such a file.
     *
     * @param reason what is wrong, as a clause for a message
     */
    record Refused(String reason) implements IndexReading {}
}
