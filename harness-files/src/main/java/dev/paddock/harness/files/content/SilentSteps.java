package dev.paddock.harness.files.content;

import dev.paddock.harness.files.access.PatternException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bounds the steps of an expression that consume no character. The platform's engine takes two billion of them for
 * {@code (?:){2147483647}}, and twice as many for each further group of {@code (?:|)(?:|)…(?!)}; a time limit that is
 * checked when characters are read does not end them.
 *
 * <p>Takes expressions that {@link Pattern} accepts. The count is an upper bound.
 */
final class SilentSteps {
    /** Per character: 200 million in a line of a million. */
    private static final long MAX_STEPS = 200;

    private static final long ENOUGH = MAX_STEPS * MAX_STEPS;
    private static final int MAX_LENGTH = 10_000;

    /** Beyond this, the engine's sum of lengths could overflow, so that it would read past the text. */
    private static final long MAX_REPEATED = 1_000_000;

    private static final Pattern QUOTED = Pattern.compile("(?s)\\\\Q(.*?)(?:\\\\E|\\z)|\\\\[^Q]");
    private static final Pattern COUNT = Pattern.compile("\\{(\\d+)(,?)(\\d*)\\}");
    private static final Pattern FLAGS = Pattern.compile("\\(\\?([a-zA-Z]*)(?:-[a-zA-Z]*)?([:)])");

    private final String expression;
    private final Deque<Group> open = new ArrayDeque<>();
    private Group group = new Group(Kind.PLAIN, 0);
    private int at;

    private enum Kind {
        PLAIN,
        /** The engine matches it in one way, and never backtracks into it. */
        ATOMIC,
        /** The engine matches it in one way, and consumes nothing. */
        AHEAD,
        /** The engine tries it from as many positions as its text can have characters. */
        BEHIND
    }

    /**
     * A part of the expression.
     *
     * @param ways in how many ways the engine matches it without reading; 0 if it always reads
     * @param steps how many steps the engine takes in it without reading
     * @param repeated the most repetitions of a character in it, by counts such as {@code {1000}}
     */
    private record Part(long ways, long steps, long repeated) {
        /** A character, or another part that always reads. */
        static final Part READING = new Part(0, 0, 1);

        /** A part that may read nothing, in one step: an anchor or a back-reference. */
        static final Part EMPTY = new Part(1, 1, 1);

        static final Part NONE = new Part(1, 0, 1);

        /** Repeats it. After the minimum number of repetitions, the engine stops at one that reads nothing. */
        Part repeated(long least, long most) {
            long all = 1;
            long taken = 0;
            for (long count = 0; count < least && ways > 0 && taken < ENOUGH; count++) {
                taken += all * Math.max(1, steps);
                all = Math.min(all * ways, ENOUGH);
            }
            return ways == 0 && least > 0
                    ? new Part(0, steps, repeated * most)
                    : new Part(
                            Math.min(all * (ways + 1), ENOUGH),
                            Math.min(taken + all * (steps + 1), ENOUGH),
                            repeated * most);
        }
    }

    /** An open group: its finished alternatives, and the current one. */
    private static final class Group {
        private final Kind kind;
        private final int start;
        private long ways;
        private long steps;
        private long repeated = 1;
        private long currentWays = 1;
        private long currentSteps;
        private boolean currentReads;
        private Part last = Part.NONE;

        Group(Kind kind, int start) {
            this.kind = kind;
            this.start = start;
        }

        /** Adds the last part to the current alternative. */
        void settle() {
            currentSteps = Math.min(currentSteps + currentWays * last.steps(), ENOUGH);
            currentWays = Math.min(currentWays * Math.max(1, last.ways()), ENOUGH);
            currentReads |= last.ways() == 0;
            repeated = Math.max(repeated, last.repeated());
            last = Part.NONE;
        }

        void alternative() {
            settle();
            ways = Math.min(ways + (currentReads ? 0 : currentWays), ENOUGH);
            steps = Math.min(steps + currentSteps + 1, ENOUGH);
            currentWays = 1;
            currentSteps = 0;
            currentReads = false;
        }

        Part end(int at) {
            alternative();
            long inside = steps - 1;
            return switch (kind) {
                case PLAIN -> new Part(ways, inside, repeated);
                case ATOMIC -> new Part(Math.min(1, ways), inside, repeated);
                case AHEAD -> new Part(1, inside + 1, 1);
                case BEHIND ->
                    new Part(1, inside == 0 ? 1 : Math.min((inside + 1) * repeated * (at - start), ENOUGH), 1);
            };
        }
    }

    private SilentSteps(String expression) {
        this.expression = expression;
    }

    /**
     * Refuses an expression with too many such steps.
     *
     * @param expression one that the platform accepts
     * @throws PatternException if it is refused
     */
    static void check(String expression) {
        if (expression.length() > MAX_LENGTH) {
            throw new PatternException("a regular expression of " + expression.length() + " characters, and at most "
                    + MAX_LENGTH + " are accepted. Search for less at once");
        }
        String unquoted = QUOTED.matcher(expression)
                .replaceAll(found -> Matcher.quoteReplacement(
                        found.group(1) == null
                                ? found.group()
                                : "a".repeat(found.group(1).length())));
        if (new SilentSteps(unquoted).count() > MAX_STEPS) {
            throw new PatternException(
                    "a regular expression that can match nothing in too many ways, as in"
                            + " (|a)(|b) or ^{1000}. Write it without empty alternatives and repeated groups that may be empty");
        }
    }

    private long count() {
        while (at < expression.length()) {
            step();
        }
        while (!open.isEmpty()) { // unbalanced: the platform has refused it
            close();
        }
        return group.end(at).steps();
    }

    private void step() {
        switch (expression.charAt(at)) {
            case '(' -> open();
            case ')' -> {
                at++;
                if (!open.isEmpty()) {
                    close();
                }
            }
            case '|' -> {
                at++;
                group.alternative();
            }
            case '?', '*' -> repeat(0);
            case '+' -> repeat(1);
            case '{' -> counted();
            case '[' -> {
                skipClass();
                add(Part.READING);
            }
            case '\\' -> escape();
            case '^', '$' -> {
                at++;
                add(Part.EMPTY);
            }
            default -> {
                at++;
                add(Part.READING);
            }
        }
    }

    private void add(Part part) {
        group.settle();
        group.last = part;
    }

    private void open() {
        Matcher flags = FLAGS.matcher(expression).region(at, expression.length());
        if (flags.lookingAt()) {
            if (flags.group(1).contains("x")) {
                throw new PatternException("a regular expression with the flag x, which is not accepted. Write it"
                        + " without comments and spaces that are not meant");
            }
            at = flags.end();
            if (flags.group(2).equals(")")) {
                return;
            }
            begin(Kind.PLAIN);
        } else if (expression.startsWith("(?<=", at) || expression.startsWith("(?<!", at)) {
            at += 4;
            begin(Kind.BEHIND);
        } else if (expression.startsWith("(?<", at)) {
            at = Math.max(at + 3, expression.indexOf('>', at) + 1);
            begin(Kind.PLAIN);
        } else if (expression.startsWith("(?>", at)) {
            at += 3;
            begin(Kind.ATOMIC);
        } else if (expression.startsWith("(?", at)) {
            at += 3;
            begin(Kind.AHEAD);
        } else {
            at++;
            begin(Kind.PLAIN);
        }
    }

    private void begin(Kind kind) {
        group.settle();
        open.push(group);
        group = new Group(kind, at);
    }

    private void close() {
        Part part = group.end(at);
        group = open.pop();
        add(part);
    }

    private void repeat(long least) {
        at++;
        skipMode();
        group.last = group.last.repeated(least, 1);
    }

    private void counted() {
        Matcher count = COUNT.matcher(expression).region(at, expression.length());
        if (!count.lookingAt()) {
            at++;
            add(Part.READING);
            return;
        }
        at = count.end();
        skipMode();
        long least = number(count.group(1));
        long most = count.group(3).isEmpty() ? least : number(count.group(3));
        group.last = group.last.repeated(least, Math.max(1, most));
        if (group.last.repeated() > MAX_REPEATED) {
            throw new PatternException("a regular expression that counts to more than " + MAX_REPEATED
                    + ", as {1000} in a group with {1001} does. Write smaller counts");
        }
    }

    private static long number(String digits) {
        return digits.length() > 9 ? Integer.MAX_VALUE : Long.parseLong(digits);
    }

    /** Skips the mark of a reluctant or possessive repetition. */
    private void skipMode() {
        if (at < expression.length() && "?+".indexOf(expression.charAt(at)) >= 0) {
            at++;
        }
    }

    private void escape() {
        char name = at + 1 < expression.length() ? expression.charAt(at + 1) : '\\';
        at += 2;
        boolean braced = at < expression.length() && expression.charAt(at) == '{';
        if ("bBAGZz".indexOf(name) >= 0 || name == 'k' || (name >= '1' && name <= '9')) {
            at = name == 'b' && braced
                    ? Math.max(at, expression.indexOf('}', at) + 1)
                    : name == 'k' ? Math.max(at, expression.indexOf('>', at) + 1) : at;
            add(Part.EMPTY);
        } else {
            at = "xpPN".indexOf(name) >= 0 && braced ? Math.max(at, expression.indexOf('}', at) + 1) : at;
            add(Part.READING);
        }
    }

    /** Skips a character class, with nested ones. A {@code ]} directly after the opening is a character. */
    private void skipClass() {
        int depth = 0;
        boolean first = false;
        while (at < expression.length()) {
            char one = expression.charAt(at++);
            if (one == '\\') {
                at++;
                first = false;
            } else if (one == '[') {
                depth++;
                first = true;
                if (at < expression.length() && expression.charAt(at) == '^') {
                    at++;
                }
            } else if (one == ']' && !first) {
                depth--;
                if (depth == 0) {
                    return;
                }
            } else {
                first = false;
            }
        }
    }
}
