package dev.paddock.harness.guest.bridge;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads the lines of a guest, with a bound on their length. */
final class GuestLines {
    /** The longest line: 32 MiB, more than the largest readable file in base 64. */
    static final int MAX_LINE_BYTES = 32 << 20;

    private static final int BLOCK = 8_192;

    private final InputStream in;
    private final byte[] block = new byte[BLOCK];
    private int from;
    private int to;

    GuestLines(InputStream in) {
        this.in = in;
    }

    /**
     * Returns the next line without its end.
     *
     * @return empty at the end of the stream
     * @throws TooLongException if a line is too long
     */
    Optional<String> next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            if (from == to) {
                to = Math.max(0, in.read(block));
                from = 0;
                if (to == 0) {
                    return line.size() == 0 ? Optional.empty() : Optional.of(line.toString(StandardCharsets.UTF_8));
                }
            }
            int end = from;
            while (end < to && block[end] != '\n') {
                end++;
            }
            line.write(block, from, end - from);
            if (line.size() > MAX_LINE_BYTES) {
                throw new TooLongException();
            }
            boolean complete = end < to;
            from = complete ? end + 1 : end;
            if (complete) {
                return Optional.of(line.toString(StandardCharsets.UTF_8));
            }
        }
    }

    /** Reports a line that is too long. */
    static final class TooLongException extends IOException {
        private static final long serialVersionUID = 1L;

        TooLongException() {
            super("the guest wrote a line of more than " + MAX_LINE_BYTES + " bytes");
        }
    }
}
