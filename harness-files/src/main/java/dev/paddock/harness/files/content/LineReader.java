package dev.paddock.harness.files.content;

import dev.paddock.executor.AbortSignal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads the lines of a file in order, in bounded memory: keeps the first bytes of a longer line and counts the rest.
 * Owns the channel.
 */
public final class LineReader implements AutoCloseable {
    private static final int BUFFER = 1 << 16;
    private static final byte[] UTF8_BOM = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final ReadableByteChannel channel;
    private final AbortSignal signal;
    private final byte[] buffer = new byte[BUFFER];
    private final ByteBuffer target = ByteBuffer.wrap(buffer);
    private final byte[] line;
    private int position;
    private int limit;
    private long lines;
    private long bytes;

    public LineReader(ReadableByteChannel channel, int mostBytesOfALine, AbortSignal signal) throws IOException {
        this.channel = channel;
        this.signal = signal;
        this.line = new byte[mostBytesOfALine];
        fill();
    }

    /** Returns the first bytes of the file. To be called before the first line is read. */
    public byte[] start() {
        return Arrays.copyOf(buffer, limit);
    }

    /** Returns how many lines were read or skipped. */
    public long lines() {
        return lines;
    }

    public Optional<Line> next() throws IOException {
        if (!available()) {
            return Optional.empty();
        }
        int kept = 0;
        long length = 0;
        boolean ended = false;
        while (!ended && available()) {
            int end = lineEnd();
            ended = end < limit;
            int copied = Math.min(end - position, line.length - kept);
            System.arraycopy(buffer, position, line, kept, copied);
            kept += copied;
            length += end - position;
            pass(ended ? end + 1 : end);
        }
        lines++;
        boolean first = lines == 1 && kept >= 3 && Arrays.equals(line, 0, 3, UTF8_BOM, 0, 3);
        boolean carriageReturn = ended && kept == length && kept > 0 && line[kept - 1] == '\r';
        return Optional.of(decoded(first ? 3 : 0, carriageReturn ? kept - 1 : kept, length, carriageReturn));
    }

    private Line decoded(int from, int to, long length, boolean carriageReturn) {
        boolean cut = length > line.length;
        int end = cut ? wholeCharacters(to) : to;
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(line, from, end - from))
                    .toString();
            return new Line(lines, text, length, cut, carriageReturn, false);
        } catch (CharacterCodingException invalid) {
            String text = new String(line, from, end - from, StandardCharsets.UTF_8);
            return new Line(lines, text, length, cut, carriageReturn, true);
        }
    }

    /** Moves a cut before an incomplete character. */
    private int wholeCharacters(int end) {
        int start = end - 1;
        while (start > end - 4 && start > 0 && (line[start] & 0xC0) == 0x80) {
            start--;
        }
        int lead = line[start] & 0xFF;
        int needed = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
        return end - start < needed ? start : end;
    }

    /** Skips lines; fewer than requested only at the end of the file. */
    public void skip(long count) throws IOException {
        long target = lines + count;
        while (lines < target && available()) {
            skipLine();
        }
    }

    /**
     * Skips all lines until the end of the file, or until {@code mostBytes} were skipped; returns true
     * at the end of the file.
     */
    public boolean skipToEnd(long mostBytes) throws IOException {
        long most = bytes + mostBytes;
        boolean inLine = false;
        while (available()) {
            if (bytes >= most) {
                return false;
            }
            inLine = !passLineEnd();
            lines += inLine ? 0 : 1;
        }
        lines += inLine ? 1 : 0;
        return true;
    }

    private void skipLine() throws IOException {
        boolean ended = false;
        while (!ended && available()) {
            ended = passLineEnd();
        }
        lines++;
    }

    /**
     * Skips past the next line feed in the buffer; returns false, with the whole buffer skipped, if
     * there is none.
     */
    private boolean passLineEnd() {
        int end = lineEnd();
        boolean ended = end < limit;
        pass(ended ? end + 1 : end);
        return ended;
    }

    private int lineEnd() {
        int end = position;
        while (end < limit && buffer[end] != '\n') {
            end++;
        }
        return end;
    }

    private void pass(int to) {
        bytes += to - position;
        position = to;
    }

    private boolean available() throws IOException {
        return position < limit || fill();
    }

    private boolean fill() throws IOException {
        signal.throwIfAborted();
        target.clear();
        limit = Math.max(0, channel.read(target));
        position = 0;
        return limit > 0;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    /**
     * A line, or the start of one.
     *
     * @param number counted from 1
     * @param text without the line end and a byte order mark
     * @param length in bytes, without the line feed
     * @param cut whether the text is incomplete
     * @param carriageReturn whether it ended with CR LF
     * @param invalid whether it is not UTF-8, so that the text shows replacement characters
     */
    public record Line(long number, String text, long length, boolean cut, boolean carriageReturn, boolean invalid) {}
}
