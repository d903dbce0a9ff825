package dev.paddock.harness.files.pattern;

import dev.paddock.executor.pattern.Wildmatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides which paths git ignores, by the {@code .gitignore} files from the root down and by {@code .git/info/exclude}.
 * Deeper files take precedence over those above, later lines over earlier ones. Everything below an ignored directory
 * is ignored; the walker does not enter such a directory.
 *
 * <p>Not consulted, because they are outside the worktree: the user's own {@code core.excludesFile}, ignore files above
 * the worktree, and the {@code info/exclude} of a linked worktree's repository.
 */
public final class IgnoreRules {
    private final Optional<IgnoreRules> above;
    /**
     * The directory that the patterns are relative to, with a trailing slash; empty for the root.
     */
    private final String base;

    private final List<Rule> rules;

    private IgnoreRules(Optional<IgnoreRules> above, String base, List<Rule> rules) {
        this.above = above;
        this.base = base;
        this.rules = rules;
    }

    public static IgnoreRules none() {
        return new IgnoreRules(Optional.empty(), "", List.of());
    }

    /** Returns these rules preceded by those of a deeper directory. */
    public IgnoreRules with(String directory, String ignoreFile) {
        List<Rule> added = parse(ignoreFile);
        return added.isEmpty() ? this : new IgnoreRules(Optional.of(this), directory, added);
    }

    /**
     * Returns whether a path is ignored, given that none of its parents is.
     *
     * @param path relative to the root
     */
    public boolean ignores(String path, boolean directory) {
        for (Optional<IgnoreRules> level = Optional.of(this); level.isPresent(); level = level.get().above) {
            Optional<Rule> last = level.get().lastMatch(path, directory);
            if (last.isPresent()) {
                return !last.get().negated();
            }
        }
        return false;
    }

    private Optional<Rule> lastMatch(String path, boolean directory) {
        if (!path.startsWith(base)) {
            return Optional.empty();
        }
        String below = path.substring(base.length());
        for (Rule rule : rules.reversed()) {
            if (rule.matches(below, directory)) {
                return Optional.of(rule);
            }
        }
        return Optional.empty();
    }

    private static List<Rule> parse(String ignoreFile) {
        String text = ignoreFile.startsWith("\ufeff") ? ignoreFile.substring(1) : ignoreFile;
        List<Rule> rules = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            Rule.parse(line).ifPresent(rules::add);
        }
        return rules;
    }

    /**
     * One line of an ignore file.
     *
     * @param negated whether it re-includes paths that an earlier line ignored
     * @param directoryOnly whether it ended with a slash
     * @param nameOnly whether it matches names at any depth, having no other slash
     * @param literal the literal prefix of the pattern, up to the first special character
     * @param glob the rest of the pattern
     */
    private record Rule(boolean negated, boolean directoryOnly, boolean nameOnly, String literal, Wildmatch glob) {

        static Optional<Rule> parse(String line) {
            String pattern = trimmed(line.endsWith("\r") ? line.substring(0, line.length() - 1) : line);
            if (pattern.isEmpty() || pattern.startsWith("#")) {
                return Optional.empty();
            }
            boolean negated = pattern.startsWith("!");
            pattern = negated ? pattern.substring(1) : pattern;
            boolean directoryOnly = pattern.endsWith("/");
            pattern = directoryOnly ? pattern.substring(0, pattern.length() - 1) : pattern;
            boolean nameOnly = pattern.indexOf('/') < 0;
            pattern = !nameOnly && pattern.startsWith("/") ? pattern.substring(1) : pattern;
            if (pattern.isEmpty()) {
                return Optional.empty();
            }
            // Like git, treat two stars after the literal prefix as if they were at the start.
            int special = nameOnly ? 0 : firstSpecial(pattern);
            return Optional.of(new Rule(
                    negated,
                    directoryOnly,
                    nameOnly,
                    pattern.substring(0, special),
                    Wildmatch.compile(pattern.substring(special), !nameOnly)));
        }

        /** Removes trailing spaces, unless a backslash precedes them. */
        private static String trimmed(String line) {
            int end = 0;
            for (int at = 0; at < line.length(); at++) {
                if (line.charAt(at) == '\\') {
                    at++;
                    end = Math.min(at + 1, line.length());
                } else if (line.charAt(at) != ' ') {
                    end = at + 1;
                }
            }
            return line.substring(0, end);
        }

        private static int firstSpecial(String pattern) {
            int at = 0;
            while (at < pattern.length() && "*?[\\".indexOf(pattern.charAt(at)) < 0) {
                at++;
            }
            return at;
        }

        boolean matches(String path, boolean directory) {
            if (directoryOnly && !directory) {
                return false;
            }
            String text = nameOnly ? path.substring(path.lastIndexOf('/') + 1) : path;
            return text.startsWith(literal) && glob.matches(text.substring(literal.length()));
        }
    }
}
