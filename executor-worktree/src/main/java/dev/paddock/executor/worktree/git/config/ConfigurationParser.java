package dev.paddock.executor.worktree.git.config;

import java.io.Serial;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parses a configuration file, character by character as git's {@code config.c} does. */
final class ConfigurationParser {
    private static final String BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf";
    private static final int END = -1;

    private final String content;
    private final List<Setting> settings = new ArrayList<>();
    private int at;
    private boolean ended;
    private String stem = "";

    /** Signals that git refuses the file. */
    public static final class Malformed extends Exception {
        @Serial
        private static final long serialVersionUID = 1L;

        Malformed(String message) {
            super(message);
        }
    }

    public ConfigurationParser(String content) {
        this.content = content;
    }

    public List<Setting> parse() throws Malformed {
        if (content.indexOf('\0') >= 0) {
            throw new Malformed("it contains NUL");
        }
        at = content.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length() : 0;
        while (true) {
            int next = next();
            if (ended) {
                return settings;
            }
            if (isSpace(next)) {
                continue;
            }
            if (next == '#' || next == ';') {
                skipLine();
            } else if (next == '[') {
                stem = header() + '.';
            } else if (isLetter(next)) {
                setting(next);
            } else {
                throw new Malformed("a line starts with neither a header nor a key");
            }
        }
    }

    /** Returns the next character, with LF for CRLF and for the end of the file. */
    private int next() {
        int next = take();
        if (next == '\r' && at < content.length() && content.charAt(at) == '\n') {
            next = take();
        }
        if (next == END) {
            ended = true;
            return '\n';
        }
        return next;
    }

    private int take() {
        return at < content.length() ? content.charAt(at++) : END;
    }

    private void skipLine() {
        int next = next();
        while (next != '\n') {
            next = next();
        }
    }

    private String header() throws Malformed {
        StringBuilder name = new StringBuilder();
        while (true) {
            int next = next();
            if (ended) {
                throw new Malformed("a header has no end");
            }
            if (next == ']') {
                return name.toString();
            }
            if (isSpace(next)) {
                return name.append('.').append(subsection(next)).toString();
            }
            if (!isKeyCharacter(next) && next != '.') {
                throw new Malformed("a header has an invalid character");
            }
            name.append(lower(next));
        }
    }

    private String subsection(int space) throws Malformed {
        int next = space;
        while (isSpace(next)) {
            if (next == '\n') {
                throw new Malformed("a header ends with its line");
            }
            next = next();
        }
        if (next != '"') {
            throw new Malformed("a subsection is not quoted");
        }
        StringBuilder name = new StringBuilder();
        next = next();
        while (next != '"') {
            if (next == '\\') {
                next = next();
            }
            if (next == '\n') {
                throw new Malformed("a subsection ends with its line");
            }
            name.append((char) next);
            next = next();
        }
        if (next() != ']') {
            throw new Malformed("a subsection is followed by something else than its header's end");
        }
        return name.toString();
    }

    private void setting(int first) throws Malformed {
        StringBuilder key = new StringBuilder().append(lower(first));
        int next = next();
        while (!ended && isKeyCharacter(next)) {
            key.append(lower(next));
            next = next();
        }
        while (next == ' ' || next == '\t') {
            next = next();
        }
        Optional<String> value = Optional.empty();
        if (next != '\n') {
            if (next != '=') {
                throw new Malformed("a key is followed by something else than its value");
            }
            value = Optional.of(value());
        }
        settings.add(new Setting(stem + key, value));
    }

    private String value() throws Malformed {
        StringBuilder value = new StringBuilder();
        boolean quoted = false;
        int spaces = 0;
        while (true) {
            int next = next();
            if (next == '\n') {
                if (quoted) {
                    throw new Malformed("a quote has no end");
                }
                return value.toString();
            }
            if (!quoted && isSpace(next)) {
                spaces += value.isEmpty() ? 0 : 1;
            } else if (!quoted && (next == ';' || next == '#')) {
                skipLine();
                return value.toString();
            } else {
                value.append(" ".repeat(spaces));
                spaces = 0;
                if (next == '"') {
                    quoted = !quoted;
                } else if (next == '\\') {
                    escape(value);
                } else {
                    value.append((char) next);
                }
            }
        }
    }

    private void escape(StringBuilder value) throws Malformed {
        switch (next()) {
            case '\n' -> {
                // The value continues on the next line.
            }
            case 't' -> value.append('\t');
            case 'b' -> value.append('\b');
            case 'n' -> value.append('\n');
            case '\\' -> value.append('\\');
            case '"' -> value.append('"');
            default -> throw new Malformed("a value has an unknown escape");
        }
    }

    private static boolean isSpace(int character) {
        return character == ' ' || character == '\t' || character == '\n' || character == '\r';
    }

    private static boolean isLetter(int character) {
        return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
    }

    private static boolean isKeyCharacter(int character) {
        return isLetter(character) || (character >= '0' && character <= '9') || character == '-';
    }

    private static char lower(int character) {
        return (char) (character >= 'A' && character <= 'Z' ? character + ('a' - 'A') : character);
    }
}
