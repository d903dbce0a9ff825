package dev.paddock.harness.tools.output;

import dev.paddock.harness.files.access.PatternException;
import dev.paddock.harness.files.content.TimedPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Keeps the output of a background shell in a log, with the read position. Only counters are in memory, so a thousand
 * silent shells cost nothing. Thread-safe; no two reads return the same line.
 */
public final class ShellOutput implements OutputSink {
    /** How many bytes at the end of the unread output a filter searches. */
    static final int SEARCHED_BYTES = 1 << 20;

    /** The extra byte shows whether the first line shown is whole. */
    private static final int HELD_BYTES = Tail.MAX_BYTES + 1;

    private final RollingLog log;
    private long totalBytes;
    private long newlines;
    private long endOfLines;
    private boolean ended;
    private boolean givesPartOfALine;
    private boolean closed;
    private long readBytes;
    private long readNewlines;

    /**
     * Creates an empty output.
     *
     * @param logs where its log is created
     * @param name the prefix of the log's name
     */
    public ShellOutput(LogDirectory logs, String name) {
        log = new RollingLog(logs, name);
    }

    @Override
    public synchronized boolean append(byte[] block, int length) {
        if (closed) {
            return false;
        }
        log.append(block, length);
        int lines = TailBuffer.countNewlines(block, length);
        if (lines > 0) {
            newlines += lines;
            endOfLines = totalBytes + afterLastNewline(block, length);
        }
        totalBytes += length;
        return true;
    }

    private static int afterLastNewline(byte[] block, int length) {
        int at = length;
        while (at > 0 && block[at - 1] != '\n') {
            at--;
        }
        return at;
    }

    /** Lets reads return an incomplete last line, such as the prompt of a program that waits for input. */
    public synchronized void givePartOfALine() {
        givesPartOfALine = true;
    }

    /** Marks the output as ended, so that reads return an incomplete last line. */
    public synchronized void end() {
        ended = true;
    }

    /** Stops accepting output, and closes the log. */
    public synchronized void close() {
        closed = true;
        log.close();
    }

    /** {@return how many bytes have been written} */
    public synchronized long totalBytes() {
        return totalBytes;
    }

    /**
     * Returns whether there is unread output.
     *
     * @return true if a read would return or skip at least one line
     */
    public synchronized boolean hasUnread() {
        return readableEnd() > readBytes;
    }

    private long readableEnd() {
        return ended || givesPartOfALine ? totalBytes : endOfLines;
    }

    /**
     * The output returned by one read.
     *
     * @param output the lines, rendered like all output
     * @param filtered whether a filter was applied
     * @param notices further notices for the model
     */
    public record Unread(Captured output, boolean filtered, List<String> notices) {}

    /**
     * Reads the unread output up to the last complete line; after the shell has ended, all of it. With a filter, skips
     * lines that do not match, which no later read returns. A filter that takes too long is not applied.
     *
     * @param filter the pattern that a line must contain
     * @return the end of the unread output, as much as is shown of any output
     * @throws dev.paddock.executor.AbortedException if the filter's signal is aborted; nothing was read then
     */
    public synchronized Unread read(Optional<TimedPattern> filter) {
        return read(filter, Captured.MAX_OUTPUT);
    }

    /**
     * Reads the unread output, as {@link #read(Optional)} does.
     *
     * @param filter the pattern that a line must contain
     * @param maxOutput how many characters are shown; below {@link Captured#MAX_OUTPUT} the beginning of
     *     longer output without a filter is given, too
     * @return the unread output, as much as is shown of any output
     * @throws dev.paddock.executor.AbortedException if the filter's signal is aborted; nothing was
     *     read then
     */
    public synchronized Unread read(Optional<TimedPattern> filter, int maxOutput) {
        long end = readableEnd();
        long bytes = end - readBytes;
        long lines = bytes == 0 ? 0 : newlines - readNewlines + (end > endOfLines ? 1 : 0);
        byte[] held = held(end, filter.isPresent() ? SEARCHED_BYTES : HELD_BYTES);
        List<String> notices = new ArrayList<>();
        Optional<LineFilter.Result> found =
                bytes == 0 ? Optional.empty() : filter.flatMap(one -> search(one, held, held.length < bytes, notices));
        Tail tail = found.map(LineFilter.Result::tail).orElseGet(() -> Tail.of(held, bytes, lines, false));
        found.ifPresent(result -> notices.addAll(result.notices(bytes, lines, log.state())));
        if (totalBytes > end) {
            notices.add("[The last line is not complete yet: " + (totalBytes - end)
                    + " bytes of it are kept for a later read.]");
        }
        Captured.Beginning beginning =
                found.isEmpty() && tail.truncated() ? beginning(tail, maxOutput) : Captured.Beginning.NONE;
        readBytes = end;
        readNewlines = newlines;
        return new Unread(new Captured(tail, log.state(), beginning), found.isPresent(), notices);
    }

    /**
     * Searches unread lines, including an incomplete last one, without reading them.
     *
     * @param pattern what a line must contain
     * @param from the position to start at, from the previous search; 0 for the first
     * @return the position at which a later search continues; empty if a line matches
     */
    public OptionalLong search(TimedPattern pattern, long from) {
        byte[] held;
        long end;
        synchronized (this) {
            end = totalBytes;
            long start = Math.max(Math.max(from, readBytes), Math.max(log.start(), end - SEARCHED_BYTES));
            held = start < end ? log.bytes(start, end) : new byte[0];
        }
        return LineFilter.anyMatches(pattern, held)
                ? OptionalLong.empty()
                : OptionalLong.of(end - (held.length - afterLastNewline(held, held.length)));
    }

    /** Returns the beginning of the unread output, if it is still in the log. */
    private Captured.Beginning beginning(Tail tail, int maxOutput) {
        if (maxOutput >= Captured.MAX_OUTPUT || readBytes < log.start()) {
            return Captured.Beginning.NONE;
        }
        byte[] bytes = log.bytes(readBytes, readBytes + Math.min(maxOutput, tail.leftOutBytes()));
        return Captured.Beginning.of(bytes, bytes.length, tail);
    }

    private byte[] held(long end, int most) {
        long from = Math.max(Math.max(readBytes, log.start()), end - most);
        return from < end ? log.bytes(from, end) : new byte[0];
    }

    private static Optional<LineFilter.Result> search(
            TimedPattern pattern, byte[] held, boolean cut, List<String> notices) {
        try {
            return Optional.of(LineFilter.apply(pattern, held, cut));
        } catch (PatternException tooSlow) {
            notices.add("[The filter was not applied, and all new output is given: " + tooSlow.getMessage() + ".]");
            return Optional.empty();
        }
    }
}
