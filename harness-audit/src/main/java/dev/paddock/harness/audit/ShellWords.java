package dev.paddock.harness.audit;

/**
 * Finds where the values in a shell command end. Indexes must be passed in ascending order: the
 * quoting is parsed once, from the start of the command.
 */
final class ShellWords {
    private static final char NONE = '\0';

    private final String text;
    private int followed;
    private char quote = NONE;

    ShellWords(String text) {
        this.text = text;
    }

    /**
     * Returns where the value that begins at an index ends.
     *
     * @param start the index
     * @param header whether it is a header's value, which may contain blanks up to the closing quote or the line's end
     */
    int endOfValue(int start, boolean header) {
        followTo(start);
        if (quote == NONE && !header) {
            return endOfWord(start);
        }
        if (start < text.length() && isQuote(text.charAt(start)) && text.charAt(start) != quote) {
            return endOfQuote(start);
        }
        if (quote != NONE && text.startsWith("\\" + quote, start)) {
            int close = text.indexOf("\\" + quote, start + 2);
            return close < 0 ? text.length() : close + 2;
        }
        return header ? endOfLine(start) : endInQuotes(start);
    }

    private void followTo(int end) {
        while (followed < end) {
            char character = text.charAt(followed);
            if (character == '\\' && quote != '\'') {
                followed++;
            } else if (character == quote) {
                quote = NONE;
            } else if (quote == NONE && isQuote(character)) {
                quote = character;
            }
            followed++;
        }
    }

    private int endOfWord(int start) {
        int index = start;
        while (index < text.length()) {
            char character = text.charAt(index);
            if (isQuote(character)) {
                index = endOfQuote(index);
            } else if (character == '\\') {
                index = Math.min(text.length(), index + 2);
            } else if (Character.isWhitespace(character) || ";|&<>()".indexOf(character) >= 0) {
                return index;
            } else {
                index++;
            }
        }
        return index;
    }

    private int endInQuotes(int start) {
        int index = start;
        while (index < text.length()) {
            char character = text.charAt(index);
            if (character == quote || character == '&' || Character.isWhitespace(character)) {
                return index;
            }
            index++;
        }
        return index;
    }

    private int endOfLine(int start) {
        int index = start;
        while (index < text.length()) {
            char character = text.charAt(index);
            if (character == '\n' || (quote != NONE && character == quote)) {
                return index;
            }
            index++;
        }
        return index;
    }

    private int endOfQuote(int start) {
        char opening = text.charAt(start);
        int index = start + 1;
        while (index < text.length() && text.charAt(index) != opening) {
            index += opening == '"' && text.charAt(index) == '\\' ? 2 : 1;
        }
        return Math.min(text.length(), index + 1);
    }

    private static boolean isQuote(char character) {
        return character == '"' || character == '\'';
    }
}
