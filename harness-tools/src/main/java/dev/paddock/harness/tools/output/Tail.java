package dev.paddock.harness.tools.output;

import dev.paddock.harness.tools.text.Excerpt;
import java.nio.charset.StandardCharsets;

/**
 * The end of an output as text: its last {@value #MAX_LINES} lines or {@value #MAX_BYTES} bytes, whichever is less.
 *
 * <p>It starts with a whole line, unless that would discard more than half of the permitted text: then the first line
 * is cut between two characters. Bytes that are not UTF-8 are shown as U+FFFD.
 *
 * @param text the text
 * @param firstLine the number of the first line shown, from 1; 0 if there is no output
 * @param totalLines how many lines there are; a last one without a newline counts
 * @param totalBytes how many bytes there are
 * @param leftOutBytes how many of them precede the text shown
 * @param cutsLine whether the first line shown lacks its beginning
 */
public record Tail(String text, long firstLine, long totalLines, long totalBytes, long leftOutBytes, boolean cutsLine) {

    /** The most lines that are shown. */
    public static final int MAX_LINES = 2_000;

    /** The most bytes that are shown. */
    public static final int MAX_BYTES = Excerpt.MAX_RESULT;

    private static final int MAX_CHARACTER_LENGTH = 4;

    /** {@return whether output is omitted} */
    public boolean truncated() {
        return leftOutBytes > 0;
    }

    /** Renders the buffer; while the output continues, an incomplete last character is omitted. */
    static Tail of(TailBuffer buffer, boolean goesOn) {
        return of(buffer.held(), buffer.totalBytes(), buffer.totalLines(), goesOn);
    }

    /**
     * Renders the end of an output.
     *
     * @param held its last bytes. If they are not all of the output, the first byte is not shown: it shows whether the
     *     second begins a line
     */
    static Tail of(byte[] held, long totalBytes, long totalLines, boolean goesOn) {
        int end = goesOn ? endOfLastCharacter(held) : held.length;
        int context = held.length < totalBytes ? 1 : 0;
        int byBytes = Math.min(held.length, Math.max(context, held.length - MAX_BYTES));
        int byLines = startOfLastLines(held);
        int from = byBytes;
        if (byLines >= byBytes) {
            from = byLines;
        } else if (byBytes > 0) {
            from = startWithin(held, byBytes);
        }
        boolean cuts = from > 0 && held[from - 1] != '\n';
        long first = held.length == 0 ? 0 : totalLines - linesFrom(held, from) + 1;
        String text = new String(held, from, Math.max(0, end - from), StandardCharsets.UTF_8);
        return new Tail(text, first, totalLines, totalBytes, totalBytes - (held.length - from), cuts);
    }

    /** Returns where the last {@link #MAX_LINES} lines start; -1 if there are fewer lines. */
    private static int startOfLastLines(byte[] bytes) {
        int lines = 0;
        for (int i = bytes.length - 2; i >= 0; i--) {
            if (bytes[i] == '\n' && ++lines == MAX_LINES) {
                return i + 1;
            }
        }
        return -1;
    }

    private static int startWithin(byte[] bytes, int earliest) {
        if (bytes[earliest - 1] == '\n') {
            return earliest;
        }
        int latestLineStart = bytes.length - MAX_BYTES / 2;
        for (int i = earliest; i < latestLineStart; i++) {
            if (bytes[i] == '\n') {
                return i + 1;
            }
        }
        int start = earliest;
        while (start < earliest + MAX_CHARACTER_LENGTH - 1 && isContinuation(bytes[start])) {
            start++;
        }
        return start;
    }

    private static long linesFrom(byte[] bytes, int from) {
        if (from >= bytes.length) {
            return 0;
        }
        long lines = bytes[bytes.length - 1] == '\n' ? 0 : 1;
        for (int i = from; i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                lines++;
            }
        }
        return lines;
    }

    private static int endOfLastCharacter(byte[] bytes) {
        int lead = bytes.length - 1;
        while (lead > bytes.length - MAX_CHARACTER_LENGTH && lead > 0 && isContinuation(bytes[lead])) {
            lead--;
        }
        if (lead < 0) {
            return 0;
        }
        return bytes.length - lead < lengthByLead(bytes[lead]) ? lead : bytes.length;
    }

    private static boolean isContinuation(byte value) {
        return (value & 0xC0) == 0x80;
    }

    private static int lengthByLead(byte lead) {
        if ((lead & 0xE0) == 0xC0) {
            return 2;
        }
        if ((lead & 0xF0) == 0xE0) {
            return 3;
        }
        return (lead & 0xF8) == 0xF0 ? 4 : 1;
    }
}
