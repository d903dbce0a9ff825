package dev.paddock.harness.workspace;

/**
 * A difference between two snapshots.
 *
 * @param kind how they differ
 * @param path the entry
 * @since 0.1
 */
public record Change(Kind kind, TreePath path) {

    /** How an entry differs. */
    public enum Kind {
        /** It is in the later snapshot only. */
        ADDED,
        /** Its content, target or kind differs. */
        MODIFIED,
        /** It is in the earlier snapshot only. */
        DELETED,
        /** Its permissions or {@code user.*} attributes differ, and its content does not. */
        MODE
    }

    @Override
    public String toString() {
        return kind + " " + path;
    }
}
