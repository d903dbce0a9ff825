package dev.paddock.harness.bindings;

import java.util.LinkedHashMap;
import java.util.Map;

/** Reads files of variables: one {@code NAME=value} a line, no interpolation, no line within quotes. */
final class Dotenv {
    private static final String EXPORT = "export ";

    private Dotenv() {}

    /** Returns names and values in the order of the lines; a later line of a name counts. */
    static Map<String, String> parse(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String raw : text.split("\r?\n", -1)) {
            String line = raw.strip();
            if (line.startsWith(EXPORT)) {
                line = line.substring(EXPORT.length()).strip();
            }
            int equals = line.indexOf('=');
            if (equals > 0 && !line.startsWith("#")) {
                String name = line.substring(0, equals).strip();
                values.remove(name);
                values.put(name, value(line.substring(equals + 1).strip()));
            }
        }
        return values;
    }

    private static String value(String text) {
        boolean quoted = text.length() > 1
                && (text.charAt(0) == '"' || text.charAt(0) == '\'')
                && text.charAt(0) == text.charAt(text.length() - 1);
        return (quoted ? text.substring(1, text.length() - 1) : text).replace("\\n", "\n");
    }
}
