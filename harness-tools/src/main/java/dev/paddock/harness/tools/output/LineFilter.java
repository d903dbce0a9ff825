package dev.paddock.harness.tools.output;

import dev.paddock.harness.files.access.PatternException;
import dev.paddock.harness.files.content.TimedPattern;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Selects lines by a regular expression, in bounded time. */
final class LineFilter {
    private static final Duration MAX_TIME = Duration.ofSeconds(2);

    private final TimedPattern pattern;
    private final byte[] text;
    private final ByteArrayOutputStream matching = new ByteArrayOutputStream();
    private final long deadline = System.nanoTime() + MAX_TIME.toNanos();
    private long matchingLines;
    private long lines;

    private LineFilter(TimedPattern pattern, byte[] text) {
        this.pattern = pattern;
        this.text = text;
    }

    /**
     * The result of a filter.
     *
     * @param tail the matching lines, rendered like all output
     * @param lines how many lines were searched
     * @param bytes how many bytes were searched
     */
    record Result(Tail tail, long lines, long bytes) {

        /** Returns notices about the lines that are not shown. */
        List<String> notices(long newBytes, long newLines, LogState log) {
            List<String> notices = new ArrayList<>();
            notices.add(
                    "[" + tail.totalLines() + " of " + lines + (lines == 1 ? " new line matches" : " new lines match")
                            + " the filter; the others are passed over.]");
            if (bytes < newBytes) {
                notices.add("[" + (newLines - lines) + " lines before them (" + (newBytes - bytes)
                        + " bytes) were not searched, and are passed over as well: a filter looks at the last "
                        + ShellOutput.SEARCHED_BYTES + " bytes. " + log.whereabouts() + "]");
            }
            return notices;
        }
    }

    /**
     * Searches each line.
     *
     * @param cut whether the text may begin within a line, which is then skipped
     * @throws PatternException if it takes too long
     */
    static Result apply(TimedPattern pattern, byte[] text, boolean cut) {
        LineFilter filter = new LineFilter(pattern, text);
        int start = cut ? filter.endOfLine(0) : 0;
        for (int at = start; at < text.length; ) {
            int end = filter.endOfLine(at);
            filter.look(at, end);
            at = end;
        }
        return new Result(filter.tail(), filter.lines, text.length - start);
    }

    /**
     * Returns whether a line matches.
     *
     * @throws PatternException if it takes too long
     */
    static boolean anyMatches(TimedPattern pattern, byte[] text) {
        LineFilter filter = new LineFilter(pattern, text);
        for (int at = 0; at < text.length && filter.matchingLines == 0; ) {
            int end = filter.endOfLine(at);
            filter.look(at, end);
            at = end;
        }
        return filter.matchingLines > 0;
    }

    private int endOfLine(int from) {
        int at = from;
        while (at < text.length && text[at] != '\n') {
            at++;
        }
        return Math.min(at + 1, text.length);
    }

    private void look(int from, int to) {
        if (System.nanoTime() - deadline > 0) {
            throw new PatternException("it takes more than " + MAX_TIME.toSeconds() + " s. Write it simpler");
        }
        lines++;
        String line = new String(text, from, to - from, StandardCharsets.UTF_8);
        String withoutEnd = line.endsWith("\n") ? line.substring(0, line.length() - 1) : line;
        if (pattern.find(ScreenText.of(withoutEnd)).isPresent()) {
            matchingLines++;
            matching.write(text, from, to - from);
        }
    }

    private Tail tail() {
        byte[] all = matching.toByteArray();
        byte[] held = Arrays.copyOfRange(all, Math.max(0, all.length - Tail.MAX_BYTES - 1), all.length);
        return Tail.of(held, all.length, matchingLines, false);
    }
}
