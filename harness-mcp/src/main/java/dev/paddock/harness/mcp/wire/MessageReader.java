package dev.paddock.harness.mcp.wire;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads messages, a line each, whatever length somebody sends. Not safe for use by several threads. */
public final class MessageReader {
    /** The longest message, in bytes: what a file holds that is written by one call, and more. */
    public static final int LONGEST = 16 << 20;

    private final InputStream stream;
    private final byte[] block = new byte[8192];
    private int at;
    private int end;
    private boolean passingOver;

    public MessageReader(InputStream stream) {
        this.stream = stream;
    }

    /** What a line holds. */
    public sealed interface Line {}

    /** A line of text; an empty one is none. */
    public record Text(String text) implements Line {}

    /** A line that is too long, and is passed over to its end. */
    public record TooLong() implements Line {}

    /**
     * The next line; empty at the end of the stream. What follows the last line break is no line. That a line is too long is told
     * at once: it may have no end.
     */
    public Optional<Line> next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (fill()) {
            int start = at;
            while (at < end && block[at] != '\n') {
                at++;
            }
            boolean ends = at < end;
            boolean fits = line.size() + (at - start) <= LONGEST;
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
