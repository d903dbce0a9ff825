package dev.paddock.executor.pattern;

import java.util.ArrayList;
import java.util.List;

/**
 * Matches a glob as a model writes it for {@code find} and {@code grep}: git's syntax, with
 * alternatives in braces. Without a slash it matches names at any depth, with one it matches paths
 * from the directory that is searched, or from the root.
 */
public final class Glob {
    private static final int MAX_ALTERNATIVES = 256;

    private final boolean nameOnly;
    private final List<Wildmatch> alternatives;

    private Glob(boolean nameOnly, List<Wildmatch> alternatives) {
        this.nameOnly = nameOnly;
        this.alternatives = alternatives;
    }

    /**
     * Compiles a glob.
     *
     * @param pattern the glob
     * @return the compiled glob
     * @throws IllegalArgumentException if it is malformed; the message says how, and the remedy
     */
    public static Glob compile(String pattern) {
        String plain = pattern.startsWith("./") ? pattern.substring(2) : pattern;
        if (plain.isEmpty()) {
            throw new IllegalArgumentException("the glob is empty. Give one such as *.java or src/**/*.ts");
        }
        List<String> expanded = new ArrayList<>();
        expand("", plain, expanded);
        boolean nameOnly = plain.indexOf('/') < 0;
        List<Wildmatch> compiled = expanded.stream()
                .map(one -> Wildmatch.compile(one.startsWith("/") ? one.substring(1) : one, true))
                .toList();
        if (compiled.stream().noneMatch(Wildmatch::isValid)) {
            throw new IllegalArgumentException(
                    "not a glob: '" + pattern + "'. A '[' needs its ']', and a backslash something after it");
        }
        return new Glob(nameOnly, compiled);
    }

    /**
     * Returns whether the glob matches names at any depth, whatever the directories above are called.
     *
     * @return true if it has no slash
     */
    public boolean isNameOnly() {
        return nameOnly;
    }

    /**
     * Returns whether the glob matches an entry, given its path from the searched directory and
     * from the root.
     *
     * @param fromStart the path from the directory that is searched, without a leading slash
     * @param fromRoot the path from the root, without a leading slash
     * @return true if it does
     */
    public boolean matches(String fromStart, String fromRoot) {
        if (nameOnly) {
            return any(fromStart.substring(fromStart.lastIndexOf('/') + 1));
        }
        return any(fromStart) || any(fromRoot);
    }

    private boolean any(String text) {
        return alternatives.stream().anyMatch(one -> one.matches(text));
    }

    private static void expand(String before, String rest, List<String> into) {
        int open = unescaped(rest, 0, "{");
        int close = open < 0 ? -1 : closing(rest, open);
        if (close < 0) {
            if (into.size() == MAX_ALTERNATIVES) {
                throw new IllegalArgumentException(
                        "the glob has more than " + MAX_ALTERNATIVES + " alternatives. Write a simpler one");
            }
            into.add(before + rest);
            return;
        }
        String after = rest.substring(close + 1);
        int start = open + 1;
        while (start <= close) {
            int end = alternativeEnd(rest, start, close);
            expand(before, rest.substring(0, open) + rest.substring(start, end) + after, into);
            start = end + 1;
        }
    }

    private static int closing(String text, int open) {
        int depth = 0;
        for (int at = open; at >= 0; at = unescaped(text, at + 1, "{}")) {
            depth += text.charAt(at) == '{' ? 1 : -1;
            if (depth == 0) {
                return at;
            }
        }
        return -1;
    }

    private static int alternativeEnd(String text, int start, int close) {
        int depth = 0;
        for (int at = unescaped(text, start, "{},"); at >= 0 && at < close; at = unescaped(text, at + 1, "{},")) {
            char c = text.charAt(at);
            if (c == ',' && depth == 0) {
                return at;
            }
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        }
        return close;
    }

    private static int unescaped(String text, int from, String wanted) {
        for (int at = from; at < text.length(); at++) {
            if (text.charAt(at) == '\\') {
                at++;
            } else if (wanted.indexOf(text.charAt(at)) >= 0) {
                return at;
            }
        }
        return -1;
    }
}
