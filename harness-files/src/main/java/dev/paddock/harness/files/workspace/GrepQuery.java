package dev.paddock.harness.files.workspace;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A search for lines.
 *
 * @since 0.1
 */
public final class GrepQuery {

    /** The default limit of matching lines. */
    public static final int DEFAULT_MAX_RESULTS = 1_000;

    /** The default limit of a line's characters. */
    public static final int DEFAULT_WIDTH = 500;

    /** The longest search; later, the lines found so far are returned. */
    public static final Duration MAX_TIME = Duration.ofSeconds(30);

    private final String expression;
    private final boolean literal;
    private final boolean ignoreCase;
    private final List<String> include;
    private final Optional<String> path;
    private final int context;
    private final int most;
    private final int width;
    private final boolean withIgnored;

    private GrepQuery(
            String expression,
            boolean literal,
            boolean ignoreCase,
            List<String> include,
            Optional<String> path,
            int context,
            int most,
            int width,
            boolean withIgnored) {
        include = List.copyOf(include);
        if (expression.isEmpty()) {
            throw new IllegalArgumentException("the expression is empty; give a text or a regular expression");
        }
        Limits.requireNotNegative("context", context);
        Limits.requireNotNegative("most", most);
        Limits.requireNotNegative("width", width);
        this.expression = expression;
        this.literal = literal;
        this.ignoreCase = ignoreCase;
        this.include = include;
        this.path = path;
        this.context = context;
        this.most = most;
        this.width = width;
        this.withIgnored = withIgnored;
    }

    /**
     * Returns a query for a text, in all files of all roots, ignored ones included, with regard to
     * case.
     *
     * @param text the text to find
     * @return the query, for {@value #DEFAULT_MAX_RESULTS} lines of {@value #DEFAULT_WIDTH} characters
     * @throws IllegalArgumentException if the text is empty
     */
    public static GrepQuery text(String text) {
        return new GrepQuery(
                text, true, false, List.of(), Optional.empty(), 0, DEFAULT_MAX_RESULTS, DEFAULT_WIDTH, true);
    }

    /**
     * Returns a query for a regular expression, otherwise as {@link #text}.
     *
     * @param expression the regular expression to find
     * @return the query
     * @throws IllegalArgumentException if the expression is empty
     */
    public static GrepQuery regex(String expression) {
        return new GrepQuery(
                expression, false, false, List.of(), Optional.empty(), 0, DEFAULT_MAX_RESULTS, DEFAULT_WIDTH, true);
    }

    /**
     * Returns this query with or without regard to case.
     *
     * @param ignore whether case is ignored
     * @return the query
     */
    public GrepQuery ignoreCase(boolean ignore) {
        return new GrepQuery(expression, literal, ignore, include, path, context, most, width, withIgnored);
    }

    /**
     * Returns this query for files with certain names.
     *
     * @param globs globs of which a file matches at least one; all files if empty
     * @return the query
     */
    public GrepQuery include(List<String> globs) {
        return new GrepQuery(expression, literal, ignoreCase, globs, path, context, most, width, withIgnored);
    }

    /**
     * Returns this query for one file or directory.
     *
     * @param fileOrDirectory the file or directory to search
     * @return the query
     */
    public GrepQuery in(String fileOrDirectory) {
        return new GrepQuery(
                expression,
                literal,
                ignoreCase,
                include,
                Optional.of(fileOrDirectory),
                context,
                most,
                width,
                withIgnored);
    }

    /**
     * Returns this query with lines around each match.
     *
     * @param lines how many lines before and after each match
     * @return the query
     * @throws IllegalArgumentException if the number is negative
     */
    public GrepQuery context(int lines) {
        return new GrepQuery(expression, literal, ignoreCase, include, path, lines, most, width, withIgnored);
    }

    /**
     * Returns this query with another limit.
     *
     * @param lines the most matching lines to return
     * @return the query
     * @throws IllegalArgumentException if the number is negative
     */
    public GrepQuery most(int lines) {
        return new GrepQuery(expression, literal, ignoreCase, include, path, context, lines, width, withIgnored);
    }

    /**
     * Returns this query with another limit of a line.
     *
     * @param characters the most characters of a line to return
     * @return the query
     * @throws IllegalArgumentException if the number is negative
     */
    public GrepQuery width(int characters) {
        return new GrepQuery(expression, literal, ignoreCase, include, path, context, most, characters, withIgnored);
    }

    /** {@return this query without {@code .git} and the entries that {@code .gitignore} names} */
    public GrepQuery withoutIgnored() {
        return new GrepQuery(expression, literal, ignoreCase, include, path, context, most, width, false);
    }

    /** {@return the text to find, or a regular expression in the syntax of {@link java.util.regex.Pattern}} */
    public String expression() {
        return expression;
    }

    /** {@return whether the expression is a text} */
    public boolean isLiteral() {
        return literal;
    }

    /** {@return whether case is ignored} */
    public boolean ignoreCase() {
        return ignoreCase;
    }

    /** {@return globs as in {@link GlobQuery}, of which a file matches at least one; all files if empty} */
    public List<String> include() {
        return include;
    }

    /** {@return the file or directory to search; all roots if empty} */
    public Optional<String> path() {
        return path;
    }

    /** {@return how many lines before and after each match are returned} */
    public int context() {
        return context;
    }

    /** {@return the most matching lines to return} */
    public int most() {
        return most;
    }

    /** {@return the most characters of a line to return} */
    public int width() {
        return width;
    }

    /** {@return whether {@code .git} and entries that {@code .gitignore} names are searched too} */
    public boolean includesIgnored() {
        return withIgnored;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof GrepQuery that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "GrepQuery" + parts();
    }

    private List<Object> parts() {
        return List.of(expression, literal, ignoreCase, include, path, context, most, width, withIgnored);
    }
}
