package dev.paddock.executor.seatbelt;

import java.util.ArrayList;
import java.util.List;

/** The syntax of profiles: symbols, strings, patterns and lists of those. */
sealed interface Expression {

    record Symbol(String name) implements Expression {}

    record Text(String value) implements Expression {}

    /** {@code #"…"}: no escapes. */
    record Raw(String value) implements Expression {}

    record Group(List<Expression> members) implements Expression {}

    /** Reads all expressions of a text; an unclosed or unknown one is an error. */
    static List<Expression> read(String text) {
        return new Reader(text).all();
    }

    /** Tokenizes as the language does: text between quotes is a string whatever it contains. */
    final class Reader {
        private final String text;
        private int at;

        private Reader(String text) {
            this.text = text;
        }

        private List<Expression> all() {
            List<Expression> found = new ArrayList<>();
            for (skip(); at < text.length(); skip()) {
                found.add(next());
            }
            return found;
        }

        private Expression next() {
            char letter = text.charAt(at);
            return switch (letter) {
                case '(' -> group();
                case ')' -> throw error("a ')' too many");
                case '"' -> new Text(string());
                case '#' -> raw();
                default -> symbol();
            };
        }

        private Group group() {
            at++;
            List<Expression> members = new ArrayList<>();
            for (skip(); at < text.length(); skip()) {
                if (text.charAt(at) == ')') {
                    at++;
                    return new Group(List.copyOf(members));
                }
                members.add(next());
            }
            throw error("a '(' is not closed");
        }

        private String string() {
            StringBuilder value = new StringBuilder();
            for (at++; at < text.length(); at++) {
                char letter = text.charAt(at);
                if (letter == '"') {
                    at++;
                    return value.toString();
                }
                if (letter == '\\') {
                    at++;
                    if (at == text.length() || "\"\\".indexOf(text.charAt(at)) < 0) {
                        throw error("an escape that is none");
                    }
                }
                value.append(text.charAt(at));
            }
            throw error("a string is not closed");
        }

        private Raw raw() {
            int end = text.indexOf('"', at + 2);
            if (!text.startsWith("#\"", at) || end < 0) {
                throw error("not a pattern");
            }
            Raw raw = new Raw(text.substring(at + 2, end));
            at = end + 1;
            return raw;
        }

        private Symbol symbol() {
            int start = at;
            while (at < text.length()
                    && !Character.isWhitespace(text.charAt(at))
                    && "();\"#".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            return new Symbol(text.substring(start, at));
        }

        private void skip() {
            while (at < text.length()) {
                if (text.charAt(at) == ';') {
                    int end = text.indexOf('\n', at);
                    at = end < 0 ? text.length() : end;
                } else if (Character.isWhitespace(text.charAt(at))) {
                    at++;
                } else {
                    return;
                }
            }
        }

        private IllegalArgumentException error(String what) {
            return new IllegalArgumentException(what + " at character " + at + " of the profile");
        }
    }
}
