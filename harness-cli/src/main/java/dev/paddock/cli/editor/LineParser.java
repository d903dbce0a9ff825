package dev.paddock.cli.editor;

import java.util.List;
import org.jline.reader.CompletingParsedLine;
import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.Parser;

/**
 * Takes prompts as they are typed: quotes mean nothing, and a backslash at the end continues the prompt in the next
 * line. A word to complete begins after a space.
 */
final class LineParser implements Parser {

    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
        if (context == ParseContext.ACCEPT_LINE && line.endsWith("\\")) {
            throw new EOFError(-1, -1, "the line goes on");
        }
        int from = cursor;
        while (from > 0 && !Character.isWhitespace(line.charAt(from - 1))) {
            from--;
        }
        return new Word(line, cursor, line.substring(from, cursor), from == 0);
    }

    /** Joins the lines of a prompt, without the backslashes that continued them. */
    static String joined(String typed) {
        return typed.replace("\\\n", "\n");
    }

    @Override
    public boolean isEscapeChar(char one) {
        return false;
    }

    /** The word before the cursor. */
    private record Word(String line, int cursor, String word, boolean isFirst) implements CompletingParsedLine {
        @Override
        public CharSequence escape(CharSequence candidate, boolean complete) {
            return candidate;
        }

        @Override
        public int rawWordCursor() {
            return wordCursor();
        }

        @Override
        public int rawWordLength() {
            return word.length();
        }

        @Override
        public int wordCursor() {
            return word.length();
        }

        @Override
        public int wordIndex() {
            return isFirst ? 0 : 1;
        }

        @Override
        public List<String> words() {
            return isFirst ? List.of(word) : List.of(line.substring(0, cursor - word.length()), word);
        }
    }
}
