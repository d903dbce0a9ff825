package dev.paddock.harness.bindings;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads dotenv files: one {@code NAME=value} per line, without interpolation. A quoted value may span lines: otherwise
 * the lines of a private key would become separate, public variables.
 */
final class Dotenv {
    private static final String EXPORT = "export ";
    private static final String QUOTES = "\"'";

    private Dotenv() {}

    /** Returns names and values in line order; the last line with a name wins. */
    static Map<String, String> parse(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        List<String> lines = List.of(text.split("\r?\n", -1));
        for (int at = 0; at < lines.size(); at++) {
            String line = lines.get(at).strip();
            if (line.startsWith(EXPORT)) {
                line = line.substring(EXPORT.length()).strip();
            }
            int equals = line.indexOf('=');
            if (equals > 0 && !line.startsWith("#")) {
                String name = line.substring(0, equals).strip();
                String first = line.substring(equals + 1).strip();
                int last = lastLine(first, lines, at);
                String value = last == at
                        ? first
                        : first + "\n"
                                + String.join("\n", lines.subList(at + 1, last + 1))
                                        .stripTrailing();
                at = last;
                values.remove(name);
                values.put(name, value(value));
            }
        }
        return values;
    }

    /**
     * Returns the last line of a value: its first one, or the next that contains the value's opening quote exactly
     * once, as its last character.
     */
    private static int lastLine(String first, List<String> lines, int at) {
        if (first.isEmpty() || QUOTES.indexOf(first.charAt(0)) < 0 || first.indexOf(first.charAt(0), 1) > 0) {
            return at;
        }
        char quote = first.charAt(0);
        for (int next = at + 1; next < lines.size(); next++) {
            String line = lines.get(next).stripTrailing();
            int found = line.indexOf(quote);
            if (found >= 0) {
                return found == line.length() - 1 ? next : at;
            }
        }
        return at;
    }

    private static String value(String text) {
        boolean quoted = text.length() > 1
                && QUOTES.indexOf(text.charAt(0)) >= 0
                && text.charAt(0) == text.charAt(text.length() - 1);
        return (quoted ? text.substring(1, text.length() - 1) : text).replace("\\n", "\n");
    }
}
