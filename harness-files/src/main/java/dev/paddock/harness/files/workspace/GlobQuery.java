package dev.paddock.harness.files.workspace;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A search for entries by their names.
 *
 * @since 0.1
 */
public final class GlobQuery {

    /** The default limit of entries. */
    public static final int DEFAULT_MAX_RESULTS = 100_000;

    private final List<String> patterns;
    private final Optional<String> path;
    private final int most;
    private final boolean withIgnored;

    private GlobQuery(List<String> patterns, Optional<String> path, int most, boolean withIgnored) {
        patterns = List.copyOf(patterns);
        if (patterns.isEmpty()) {
            throw new IllegalArgumentException("there is no pattern; give one such as *.java or src/**");
        }
        Limits.requireNotNegative("most", most);
        this.patterns = patterns;
        this.path = path;
        this.most = most;
        this.withIgnored = withIgnored;
    }

    /**
     * Returns a query over all roots and all entries, ignored ones included.
     *
     * @param patterns the globs
     * @return the query, for {@value #DEFAULT_MAX_RESULTS} entries at most
     * @throws IllegalArgumentException if there is no pattern
     */
    public static GlobQuery of(List<String> patterns) {
        return new GlobQuery(patterns, Optional.empty(), DEFAULT_MAX_RESULTS, true);
    }

    /**
     * Returns this query for one directory.
     *
     * @param directory the directory to search
     * @return the query
     */
    public GlobQuery in(String directory) {
        return new GlobQuery(patterns, Optional.of(directory), most, withIgnored);
    }

    /**
     * Returns this query with another limit.
     *
     * @param entries the most entries to return
     * @return the query
     * @throws IllegalArgumentException if the number is negative
     */
    public GlobQuery most(int entries) {
        return new GlobQuery(patterns, path, entries, withIgnored);
    }

    /** {@return this query without {@code .git} and the entries that {@code .gitignore} names} */
    public GlobQuery withoutIgnored() {
        return new GlobQuery(patterns, path, most, false);
    }

    /**
     * {@return globs, of which an entry matches at least one: git's syntax with alternatives in braces} Without a slash
     * a glob matches names at any depth, with one it matches paths from the searched directory, or from its root.
     */
    public List<String> patterns() {
        return patterns;
    }

    /** {@return the directory to search; all roots if empty} */
    public Optional<String> path() {
        return path;
    }

    /** {@return the most entries to return} */
    public int most() {
        return most;
    }

    /** {@return whether {@code .git} and entries that {@code .gitignore} names are searched too} */
    public boolean includesIgnored() {
        return withIgnored;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof GlobQuery that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "GlobQuery" + parts();
    }

    private List<Object> parts() {
        return List.of(patterns, path, most, withIgnored);
    }
}
