package dev.paddock.executor.seatbelt;

import java.util.List;

/**
 * Writes the needed subset of the profile language: rules with an action, operations and filters.
 * A rule without filters applies to every object of its operations; a rule with several filters
 * applies to an object that matches any of them.
 */
final class Sbpl {
    private static final String REGEX_WORDS = "$()*+.?[]^{|}";

    private final StringBuilder text = new StringBuilder("(version 1)\n(deny default)\n");

    /** Writes a heading, for people who read profiles. */
    void heading(String line) {
        text.append("\n; ").append(line).append('\n');
    }

    void allow(String operations, List<String> filters) {
        rule("allow", operations, filters);
    }

    void deny(String operations, List<String> filters) {
        rule("deny", operations, filters);
    }

    /**
     * Writes a rule, but nothing if the list of filters is empty: a rule without filters would
     * apply to every object.
     */
    private void rule(String action, String operations, List<String> filters) {
        if (!filters.isEmpty()) {
            text.append('(').append(action).append(' ').append(operations);
            filters.forEach(filter -> text.append("\n    ").append(filter));
            text.append(")\n");
        }
    }

    /** Allows an operation on every object. */
    void everywhere(String operation) {
        text.append("(allow ").append(operation).append(")\n");
    }

    @Override
    public String toString() {
        return text.toString();
    }

    /** Matches exactly this path. */
    static String literal(String path) {
        return filter("literal", path);
    }

    /** Matches the path and all below it. */
    static String subpath(String path) {
        return filter("subpath", path);
    }

    /** Writes a filter of one string. */
    static String filter(String name, String value) {
        return "(" + name + " " + quote(value) + ")";
    }

    /**
     * Matches a path and all below it, in any case of its last part's letters: on a
     * case-insensitive file system, a file created as {@code .ENVRC} is found as {@code .envrc}.
     */
    static String anyCase(String path) {
        int last = path.lastIndexOf('/') + 1;
        StringBuilder pattern = new StringBuilder("^");
        path.codePoints().limit(path.codePointCount(0, last)).forEach(letter -> match(pattern, letter));
        path.substring(last).codePoints().forEach(letter -> {
            if (letter < 0x80 && Character.isLetter(letter)) {
                pattern.append('[').appendCodePoint(Character.toLowerCase(letter));
                pattern.appendCodePoint(Character.toUpperCase(letter)).append(']');
            } else {
                match(pattern, letter);
            }
        });
        return "(regex #\"" + pattern.append("(/.*)?$") + "\")";
    }

    /**
     * Appends a character to a pattern. Patterns are quoted without escapes; a wildcard replaces
     * a character that cannot appear there.
     */
    private static void match(StringBuilder pattern, int letter) {
        if (letter >= 0x80) {
            pattern.append(".+");
        } else if (letter == '"' || letter == '\\' || letter < ' ' || letter == 0x7f) {
            pattern.append('.');
        } else {
            pattern.append(REGEX_WORDS.indexOf(letter) >= 0 ? "\\" : "").appendCodePoint(letter);
        }
    }

    /**
     * Quotes a string. Between quotes only these two characters have a meaning; a line may end
     * there, and parentheses are ordinary characters.
     */
    static String quote(String value) {
        if (value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a string of a profile contains NUL");
        }
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
