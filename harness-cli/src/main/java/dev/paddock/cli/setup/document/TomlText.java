package dev.paddock.cli.setup.document;

import java.util.ArrayList;
import java.util.List;
import org.tomlj.Toml;

/** Finds the statements of a TOML text that a parser has accepted. */
final class TomlText {
    private static final String MULTI_LINE_BASIC = "\"\"\"";
    private static final String MULTI_LINE_LITERAL = "'''";

    private final String text;
    private final List<Statement> statements = new ArrayList<>();
    private List<String> header = List.of();
    private int at;

    private TomlText(String text) {
        this.text = text;
    }

    /**
     * A header of a table, or a key with its value.
     *
     * @param isHeader whether it is a header
     * @param path the names from the root to the table or the value; a table in an array of tables has one that no key
     *     can have
     * @param header the path of the table that contains it; of a header, its own
     * @param start the offset of its line
     * @param valueStart the offset of the value's first character
     * @param valueEnd the offset after the value's last character; of a header, after its bracket
     * @param end the offset after its last line, the line end included
     */
    record Statement(
            boolean isHeader,
            List<String> path,
            List<String> header,
            int start,
            int valueStart,
            int valueEnd,
            int end) {

        boolean isBelow(List<String> outer) {
            return startsWith(path, outer);
        }
    }

    static List<Statement> statements(String text) {
        TomlText scan = new TomlText(text);
        scan.skipSpace();
        while (scan.at < text.length()) {
            scan.statement();
            scan.skipSpace();
        }
        return scan.statements;
    }

    static boolean startsWith(List<String> path, List<String> start) {
        return path.size() >= start.size() && path.subList(0, start.size()).equals(start);
    }

    private void statement() {
        int start = text.lastIndexOf('\n', at - 1) + 1;
        int first = at;
        if (text.charAt(at) == '[') {
            boolean isArray = text.startsWith("[[", at);
            at += isArray ? 2 : 1;
            int name = at;
            skipTo(']');
            List<String> path =
                    new ArrayList<>(Toml.parseDottedKey(text.substring(name, at).strip()));
            if (isArray) {
                path.add("[" + statements.size() + "]");
            }
            at += isArray ? 2 : 1;
            header = List.copyOf(path);
            add(true, header, start, first);
        } else {
            skipTo('=');
            List<String> path = new ArrayList<>(header);
            path.addAll(Toml.parseDottedKey(text.substring(first, at).strip()));
            at++;
            while (text.charAt(at) == ' ' || text.charAt(at) == '\t') {
                at++;
            }
            int value = at;
            skipValue();
            add(false, List.copyOf(path), start, value);
        }
    }

    private void add(boolean isHeader, List<String> path, int start, int valueStart) {
        int valueEnd = at;
        skipLine();
        statements.add(new Statement(isHeader, path, header, start, valueStart, valueEnd, at));
    }

    /** Skips a key up to the character that ends it, outside of quotes. */
    private void skipTo(char end) {
        while (text.charAt(at) != end) {
            if (text.charAt(at) == '"' || text.charAt(at) == '\'') {
                skipString();
            } else {
                at++;
            }
        }
    }

    private void skipValue() {
        char first = text.charAt(at);
        if (first == '"' || first == '\'') {
            skipString();
        } else if (first == '[' || first == '{') {
            skipBrackets();
        } else {
            while (at < text.length() && "#\r\n".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            while (text.charAt(at - 1) == ' ' || text.charAt(at - 1) == '\t') {
                at--;
            }
        }
    }

    private void skipBrackets() {
        int depth = 0;
        do {
            char c = text.charAt(at);
            if (c == '"' || c == '\'') {
                skipString();
            } else if (c == '#') {
                skipLine();
            } else {
                depth += c == '[' || c == '{' ? 1 : 0;
                depth -= c == ']' || c == '}' ? 1 : 0;
                at++;
            }
        } while (depth > 0);
    }

    private void skipString() {
        char quote = text.charAt(at);
        boolean isBasic = quote == '"';
        String fence = isBasic ? MULTI_LINE_BASIC : MULTI_LINE_LITERAL;
        boolean isMultiLine = text.startsWith(fence, at);
        at += isMultiLine ? fence.length() : 1;
        while (isMultiLine ? !text.startsWith(fence, at) : text.charAt(at) != quote) {
            at += isBasic && text.charAt(at) == '\\' ? 2 : 1;
        }
        at += isMultiLine ? fence.length() : 1;
        while (isMultiLine && at < text.length() && text.charAt(at) == quote) {
            at++; // up to two quotes may stand before the closing ones
        }
    }

    private void skipSpace() {
        while (at < text.length()) {
            if (text.charAt(at) == '#') {
                skipLine();
            } else if (Character.isWhitespace(text.charAt(at))) {
                at++;
            } else {
                return;
            }
        }
    }

    private void skipLine() {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end + 1;
    }
}
