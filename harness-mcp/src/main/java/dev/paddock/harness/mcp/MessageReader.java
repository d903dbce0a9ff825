package dev.paddock.harness.mcp;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads messages, a line each, whatever length somebody sends. Not safe for use by several threads. */
final class MessageReader {
    /** The longest message, in bytes: what a file holds that is written by one call, and more. */
    static final int LONGEST = 16 << 20;

    private final InputStream stream;
    private final byte[] block = new byte[8192];
    private int at;
    private int end;

    MessageReader(InputStream stream) {
        this.stream = stream;
    }

    /** What a line holds. */
    sealed interface Line {}

    /** A line of text; an empty one is none. */
    record Text(String text) implements Line {}

    /** A line that was too long, and was passed over to its end. */
    record TooLong() implements Line {}

    /** The next line; empty at the end of the stream. What follows the last line break is no line. */
    Optional<Line> next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        boolean tooLong = false;
        while (fill()) {
            int start = at;
            while (at < end && block[at] != '\n') {
                at++;
            }
            tooLong |= line.size() + (at - start) > LONGEST;
            if (tooLong) {
                line.reset();
            } else {
                line.write(block, start, at - start);
            }
            if (at < end) {
                at++;
                return Optional.of(tooLong ? new TooLong() : new Text(line.toString(StandardCharsets.UTF_8)));
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
