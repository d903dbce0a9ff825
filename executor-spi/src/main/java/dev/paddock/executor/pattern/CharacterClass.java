package dev.paddock.executor.pattern;

import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Holds a character class, the bracket expression of a glob.
 *
 * @param members accepts the characters of the class
 * @param end the offset in the pattern after the class
 */
record CharacterClass(IntPredicate members, int end) {

    private static final Map<String, IntPredicate> NAMED = Map.ofEntries(
            Map.entry("alnum", c -> letter(c) || digit(c)),
            Map.entry("alpha", CharacterClass::letter),
            Map.entry("blank", c -> c == ' ' || c == '\t'),
            Map.entry("cntrl", c -> c < ' ' || c == 0x7f),
            Map.entry("digit", CharacterClass::digit),
            Map.entry("graph", c -> c > ' ' && c < 0x7f),
            Map.entry("lower", c -> c >= 'a' && c <= 'z'),
            Map.entry("print", c -> c >= ' ' && c < 0x7f),
            Map.entry("punct", c -> c > ' ' && c < 0x7f && !letter(c) && !digit(c)),
            Map.entry("space", c -> c == ' ' || (c >= '\t' && c <= '\r')),
            Map.entry("upper", c -> c >= 'A' && c <= 'Z'),
            Map.entry("xdigit", c -> digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));

    private static boolean letter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean digit(int c) {
        return c >= '0' && c <= '9';
    }

    /**
     * Parses the class whose opening bracket is at an offset; empty if the class is unterminated or
     * names an unknown one.
     */
    static Optional<CharacterClass> parse(String pattern, int open) {
        Parser parser = new Parser(pattern, open + 1);
        return parser.parse() ? Optional.of(new CharacterClass(parser.result(), parser.at)) : Optional.empty();
    }

    private static final class Parser {
        private final String pattern;
        private final boolean negated;
        private IntPredicate members = c -> false;
        private int at;
        /**
         * The character that a range may start from; -1 if there is none, as after a range or a
         * named class.
         */
        private int previous = -1;

        Parser(String pattern, int start) {
            this.pattern = pattern;
            this.negated = start < pattern.length() && (pattern.charAt(start) == '!' || pattern.charAt(start) == '^');
            this.at = negated ? start + 1 : start;
        }

        IntPredicate result() {
            return negated ? members.negate() : members;
        }

        /** Parses the members; a closing bracket that comes first is a member. */
        boolean parse() {
            boolean first = true;
            while (at < pattern.length()) {
                char c = pattern.charAt(at);
                if (c == ']' && !first) {
                    at++;
                    return true;
                }
                first = false;
                if (!member(c)) {
                    return false;
                }
            }
            return false;
        }

        private boolean member(char c) {
            boolean range = c == '-' && previous >= 0 && at + 1 < pattern.length() && pattern.charAt(at + 1) != ']';
            if (range) {
                at++;
                if (pattern.charAt(at) == '\\' && ++at == pattern.length()) {
                    return false;
                }
                add(previous, pattern.charAt(at++));
                previous = -1;
                return true;
            }
            if (c == '[' && pattern.startsWith("[:", at)) {
                return named();
            }
            if (c == '\\' && ++at == pattern.length()) {
                return false;
            }
            previous = pattern.charAt(at++);
            add(previous, previous);
            return true;
        }

        private void add(int from, int to) {
            IntPredicate before = members;
            members = c -> before.test(c) || (c >= from && c <= to);
        }

        private boolean named() {
            int close = pattern.indexOf(']', at + 2);
            if (close < 0) {
                return false;
            }
            if (close == at + 2 || pattern.charAt(close - 1) != ':') {
                previous = pattern.charAt(at++); // not a class name: the bracket is a member
                add(previous, previous);
                return true;
            }
            IntPredicate set = NAMED.get(pattern.substring(at + 2, Math.max(at + 2, close - 1)));
            if (set == null) {
                return false;
            }
            IntPredicate before = members;
            members = c -> before.test(c) || set.test(c);
            previous = -1;
            at = close + 1;
            return true;
        }
    }
}
