package dev.paddock.executor.seatbelt;

import java.util.List;

/**
 * The profile language, as far as it is needed: rules of an action, operations and filters. A rule without filters is for
 * everything that its operations are about; of several filters any will do.
 */
final class Sbpl {
    private static final String REGEX_WORDS = "$()*+.?[]^{|}";

    private final StringBuilder text = new StringBuilder("(version 1)\n(deny default)\n");

    /** A heading, for those who read profiles. */
    void heading(String line) {
        text.append("\n; ").append(line).append('\n');
    }

    void allow(String operations, List<String> filters) {
        rule("allow", operations, filters);
    }

    void deny(String operations, List<String> filters) {
        rule("deny", operations, filters);
    }

    /** Nothing is said of nothing: a rule whose filters have all fallen away would be for everything. */
    private void rule(String action, String operations, List<String> filters) {
        if (!filters.isEmpty()) {
            text.append('(').append(action).append(' ').append(operations);
            filters.forEach(filter -> text.append("\n    ").append(filter));
            text.append(")\n");
        }
    }

    /** Allows everything that an operation is about. */
    void everywhere(String operation) {
        text.append("(allow ").append(operation).append(")\n");
    }

    @Override
    public String toString() {
        return text.toString();
    }

    /** The very path. */
    static String literal(String path) {
        return filter("literal", path);
    }

    /** The path and all below it. */
    static String subpath(String path) {
        return filter("subpath", path);
    }

    /** A filter of one string. */
    static String filter(String name, String value) {
        return "(" + name + " " + quote(value) + ")";
    }

    /**
     * A path and all below it, in whatever case its last part is written: on a file system that tells no case apart, a file
     * that is made as {@code .ENVRC} is found as {@code .envrc}.
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

    /** Patterns are written between quotes without escapes; what cannot stand there, any character stands for. */
    private static void match(StringBuilder pattern, int letter) {
        if (letter >= 0x80) {
            pattern.append(".+");
        } else if (letter == '"' || letter == '\\' || letter < ' ' || letter == 0x7f) {
            pattern.append('.');
        } else {
            pattern.append(REGEX_WORDS.indexOf(letter) >= 0 ? "\\" : "").appendCodePoint(letter);
        }
    }

    /** Between quotes only these two have a meaning; a line may end there, and parentheses are letters like others. */
    static String quote(String value) {
        if (value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a string of a profile contains NUL");
        }
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
