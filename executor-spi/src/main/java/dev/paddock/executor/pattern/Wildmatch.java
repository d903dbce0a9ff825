package dev.paddock.executor.pattern;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Matches a glob by git's rules: {@code ?} and {@code *} stay within a name, {@code **} between
 * slashes crosses any number of directories, {@code [a-z]}, {@code [!a]} and {@code [[:digit:]]}
 * are classes, a backslash makes the next character literal.
 *
 * <p>Unlike a glob translated to a regular expression, it takes time in proportion to pattern times
 * text for any pattern: patterns come from repositories and models, and twenty stars must not stop
 * a search.
 */
public final class Wildmatch {
    private final List<Step> steps;
    private final boolean valid;

    private Wildmatch(List<Step> steps, boolean valid) {
        this.steps = steps;
        this.valid = valid;
    }

    /**
     * Compiles a pattern.
     *
     * @param pattern the pattern
     * @param pathname whether slashes are special; without it the stars and {@code ?} match them
     *     like any character
     * @return the compiled pattern
     */
    public static Wildmatch compile(String pattern, boolean pathname) {
        return new Compiler(pattern, pathname).compile();
    }

    /**
     * Returns false for a malformed pattern, such as one with an unterminated bracket: it matches
     * nothing.
     *
     * @return whether it is well formed
     */
    public boolean isValid() {
        return valid;
    }

    /**
     * Returns whether the pattern matches all of a text.
     *
     * @param text the text
     * @return true if it does
     */
    public boolean matches(String text) {
        if (!valid) {
            return false;
        }
        BitSet places = new BitSet(text.length() + 1);
        places.set(0);
        for (Step step : steps) {
            places = step.from(places, text);
            if (places.isEmpty()) {
                return false;
            }
        }
        return places.get(text.length());
    }

    /**
     * Advances one step of the pattern: from the offsets in the text that the preceding steps
     * reached to those that this step reaches.
     */
    private interface Step {
        BitSet from(BitSet places, String text);
    }

    private record One(IntPredicate accepts) implements Step {
        @Override
        public BitSet from(BitSet places, String text) {
            BitSet next = new BitSet(text.length() + 1);
            for (int at = places.nextSetBit(0); at >= 0 && at < text.length(); at = places.nextSetBit(at + 1)) {
                if (accepts.test(text.charAt(at))) {
                    next.set(at + 1);
                }
            }
            return next;
        }
    }

    private record Many(boolean slashes) implements Step {
        @Override
        public BitSet from(BitSet places, String text) {
            BitSet next = new BitSet(text.length() + 1);
            boolean reached = false;
            for (int at = 0; at <= text.length(); at++) {
                reached |= places.get(at);
                next.set(at, reached);
                reached &= at < text.length() && (slashes || text.charAt(at) != '/');
            }
            return next;
        }
    }

    /** Two stars and a slash: matches zero or more directories. */
    private record Directories() implements Step {
        @Override
        public BitSet from(BitSet places, String text) {
            BitSet next = (BitSet) places.clone();
            int first = places.nextSetBit(0);
            for (int at = first; at < text.length(); at++) {
                if (text.charAt(at) == '/') {
                    next.set(at + 1);
                }
            }
            return next;
        }
    }

    private static final class Compiler {
        private final String pattern;
        private final boolean pathname;
        private final List<Step> steps = new ArrayList<>();
        private int at;

        Compiler(String pattern, boolean pathname) {
            this.pattern = pattern;
            this.pathname = pathname;
        }

        Wildmatch compile() {
            while (at < pattern.length()) {
                char c = pattern.charAt(at);
                if (c == '*') {
                    stars();
                } else if (c == '?') {
                    at++;
                    steps.add(new One(this::notSlash));
                } else if (c == '[') {
                    Optional<CharacterClass> parsed = CharacterClass.parse(pattern, at);
                    if (parsed.isEmpty()) {
                        return new Wildmatch(steps, false);
                    }
                    at = parsed.get().end();
                    IntPredicate members = parsed.get().members();
                    steps.add(new One(ch -> notSlash(ch) && members.test(ch)));
                } else {
                    if (c == '\\' && ++at == pattern.length()) {
                        return new Wildmatch(steps, false);
                    }
                    char literal = pattern.charAt(at++);
                    steps.add(new One(ch -> ch == literal));
                }
            }
            return new Wildmatch(steps, true);
        }

        private boolean notSlash(int ch) {
            return !pathname || ch != '/';
        }

        private void stars() {
            int start = at;
            while (at < pattern.length() && pattern.charAt(at) == '*') {
                at++;
            }
            boolean single = at - start == 1;
            boolean opens = start == 0 || pattern.charAt(start - 1) == '/';
            boolean slashNext = pattern.startsWith("/", at) || pattern.startsWith("\\/", at);
            boolean closes = at == pattern.length() || slashNext;
            if (pathname && !single && opens && closes) {
                if (pattern.startsWith("/", at)) {
                    at++;
                    steps.add(new Directories());
                } else {
                    steps.add(new Many(true));
                }
            } else {
                steps.add(new Many(!pathname));
            }
        }
    }
}
