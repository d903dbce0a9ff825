package dev.paddock.harness.files.content;

import dev.paddock.executor.AbortSignal;
import dev.paddock.harness.files.access.PatternException;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Matches a regular expression from a model with a time limit. The platform's engine backtracks, and {@code (a+)+b}
 * takes it years on a line of a hundred letters. The text checks the clock as the engine reads it, and
 * {@link SilentSteps} refuses what reads nothing for long. An engine without backtracking (RE2/J) needs no time limit,
 * but lacks look-around and back-references, which models use.
 *
 * <p>Not thread-safe.
 */
public final class TimedPattern {
    private static final Duration MAX_TIME = Duration.ofSeconds(1);

    private final Pattern pattern;
    private final AbortSignal signal;

    private TimedPattern(Pattern pattern, AbortSignal signal) {
        this.pattern = pattern;
        this.signal = signal;
    }

    /**
     * Compiles an expression.
     *
     * @param expression a regular expression in the syntax of {@link Pattern}, or a literal text
     * @param flags the flags of {@link Pattern}; with {@link Pattern#LITERAL} the expression is a literal text
     * @param signal ends a match in progress with an {@link dev.paddock.executor.AbortedException}
     * @return the pattern
     * @throws PatternException if it is not a regular expression, with the position of the fault, or if its matching
     *     could not be bounded
     */
    public static TimedPattern compile(String expression, int flags, AbortSignal signal) {
        try {
            Pattern pattern = Pattern.compile(expression, flags);
            if ((flags & Pattern.LITERAL) == 0) {
                SilentSteps.check(expression);
            }
            return new TimedPattern(pattern, signal);
        } catch (PatternSyntaxException e) {
            throw new PatternException(
                    "not a regular expression: '" + expression + "': " + e.getDescription() + " near index "
                            + e.getIndex() + ". To search for the text itself, set literal",
                    e);
        } catch (StackOverflowError deep) {
            throw new PatternException("the regular expression is nested too deeply", deep);
        }
    }

    /**
     * Searches a text for the expression, for a second at most.
     *
     * @param text the text
     * @return where the first match starts; empty if there is none
     * @throws PatternException if matching takes too long, or too deep a stack
     * @throws dev.paddock.executor.AbortedException if the signal is aborted
     */
    public Optional<Integer> find(String text) {
        try {
            Matcher matcher = pattern.matcher(new Timed(text, System.nanoTime() + MAX_TIME.toNanos(), signal));
            return matcher.find() ? Optional.of(matcher.start()) : Optional.empty();
        } catch (StackOverflowError deep) { // repeated groups recurse, once per repetition
            throw new PatternException(
                    "the regular expression repeats a group too often on one line for its matching. "
                            + "Write it without the group: [ab]* instead of (a|b)*",
                    deep);
        } catch (IndexOutOfBoundsException fault) { // JDK 25 reads beyond the end for \b{g}
            throw new PatternException(
                    "the regular expression cannot be matched at the end of a line. Write it without \\b{g}", fault);
        }
    }

    /** Checks the clock at intervals while the text is read. */
    private static final class Timed implements CharSequence {
        private static final int BETWEEN_LOOKS = 1 << 12;

        private final String text;
        private final long deadline;
        private final AbortSignal signal;
        private int reads;

        Timed(String text, long deadline, AbortSignal signal) {
            this.text = text;
            this.deadline = deadline;
            this.signal = signal;
        }

        @Override
        public char charAt(int index) {
            if (++reads % BETWEEN_LOOKS == 0) {
                signal.throwIfAborted();
                if (System.nanoTime() - deadline > 0) {
                    throw new PatternException("the regular expression takes more than " + MAX_TIME.toMillis()
                            + " ms on one line: it backtracks too much. Write it without nested repetitions");
                }
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
