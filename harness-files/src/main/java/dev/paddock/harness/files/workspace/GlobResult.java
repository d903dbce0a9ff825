package dev.paddock.harness.files.workspace;

import java.util.List;

/**
 * The entries that a search by names found.
 *
 * @param entries the entries, each once, in the order of their paths
 * @param more whether there are further ones
 * @param unreadable how many entries could not be examined
 * @since 0.1
 */
public record GlobResult(List<Entry> entries, boolean more, int unreadable) {

    /** Creates a result. */
    public GlobResult {
        entries = List.copyOf(entries);
    }
}
