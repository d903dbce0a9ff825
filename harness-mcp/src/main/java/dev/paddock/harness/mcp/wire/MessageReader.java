package dev.paddock.harness.mcp.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads messages of one line each, with a bound on their length. Not safe for use by several
 * threads.
 */
public final class MessageReader {
    /** The longest message, in bytes: more than the content of a file that one call writes. */
    public static final int MAX_BYTES = 16 << 20;

    private final InputStream stream;
    private final byte[] block = new byte[8192];
    private int at;
    private int end;
    private boolean passingOver;

    public MessageReader(InputStream stream) {
        this.stream = stream;
    }

    /** A line that was read. */
    public sealed interface Line {}

    /** A line of text. An empty line holds no message. */
    public record Text(String text) implements Line {}

    /** A line that exceeds the bound, and is skipped to its end. */
    public record TooLong() implements Line {}

    /**
     * Returns the next line; empty at the end of the stream. An unterminated last line is dropped.
     * A line that exceeds the bound is reported at once, since it may never end.
     */
    public Optional<Line> next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (fill()) {
            int start = at;
            while (at < end && block[at] != '\n') {
                at++;
            }
            boolean ends = at < end;
            boolean fits = line.size() + (at - start) <= MAX_BYTES;
            if (fits && !passingOver) {
                line.write(block, start, at - start);
            }
            if (ends) {
                at++;
            }
            if (passingOver) {
                passingOver = !ends;
            } else if (!fits) {
                passingOver = !ends;
                return Optional.of(new TooLong());
            } else if (ends) {
                return Optional.of(new Text(line.toString(StandardCharsets.UTF_8)));
            }
        }
        return Optional.empty();
    }

    private boolean fill() throws IOException {
        if (at == end) {
            at = 0;
            end = Math.max(0, stream.read(block));
        }
        return at < end;
    }
}
