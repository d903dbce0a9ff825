package dev.paddock.harness.files.workspace;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries that a search by names found.
 *
 * @since 0.1
 */
public final class GlobResult {

    private final List<Entry> entries;
    private final boolean more;
    private final int unreadable;

    GlobResult(List<Entry> entries, boolean more, int unreadable) {
        entries = List.copyOf(entries);
        this.entries = entries;
        this.more = more;
        this.unreadable = unreadable;
    }

    /** {@return the entries, each once, in the order of their paths} */
    public List<Entry> entries() {
        return entries;
    }

    /** {@return whether there are further ones} */
    public boolean hasMore() {
        return more;
    }

    /** {@return how many entries could not be examined} */
    public int unreadable() {
        return unreadable;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof GlobResult that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "GlobResult" + parts();
    }

    private List<Object> parts() {
        return List.of(entries, more, unreadable);
    }
}
