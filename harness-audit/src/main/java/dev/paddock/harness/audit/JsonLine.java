package dev.paddock.harness.audit;

import java.util.List;
import java.util.Map;

/**
 * Writes texts, numbers, truth values, lists and maps as one line of JSON. Handwritten: a JSON library takes longer to
 * load than many commands run.
 */
final class JsonLine {
    private final StringBuilder line = new StringBuilder(1024);

    private JsonLine() {}

    static String of(Map<String, ?> fields) {
        JsonLine json = new JsonLine();
        json.map(fields);
        return json.line.toString();
    }

    private void map(Map<?, ?> fields) {
        line.append('{');
        for (Map.Entry<?, ?> field : fields.entrySet()) {
            separate('{');
            text(String.valueOf(field.getKey()));
            line.append(':');
            value(field.getValue());
        }
        line.append('}');
    }

    private void value(Object value) {
        if (value instanceof Long || value instanceof Boolean) {
            line.append(value);
        } else if (value instanceof List<?> list) {
            line.append('[');
            for (Object item : list) {
                separate('[');
                value(item);
            }
            line.append(']');
        } else if (value instanceof Map<?, ?> map) {
            map(map);
        } else {
            text(String.valueOf(value));
        }
    }

    /** Appends a comma, unless the last character opens a list or a map. */
    private void separate(char opening) {
        if (line.charAt(line.length() - 1) != opening) {
            line.append(',');
        }
    }

    private void text(String text) {
        line.append('"');
        for (int index = 0; index < text.length(); index++) {
            char character = text.charAt(index);
            switch (character) {
                case '"' -> line.append("\\\"");
                case '\\' -> line.append("\\\\");
                case '\n' -> line.append("\\n");
                case '\r' -> line.append("\\r");
                case '\t' -> line.append("\\t");
                default -> {
                    if (character < ' ' || isHalf(text, index)) {
                        escape(character);
                    } else {
                        line.append(character);
                    }
                }
            }
        }
        line.append('"');
    }

    /** Returns whether a character is an unpaired surrogate, which UTF-8 cannot encode. */
    private static boolean isHalf(String text, int index) {
        char character = text.charAt(index);
        if (Character.isHighSurrogate(character)) {
            return index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1));
        }
        return Character.isLowSurrogate(character)
                && (index == 0 || !Character.isHighSurrogate(text.charAt(index - 1)));
    }

    private void escape(char character) {
        String digits = Integer.toHexString(character);
        line.append("\\u").append("0000", digits.length(), 4).append(digits);
    }
}
