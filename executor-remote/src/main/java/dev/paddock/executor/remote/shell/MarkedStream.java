package dev.paddock.executor.remote.shell;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Splits a command's stream at its {@linkplain StreamSentinel sentinel} into the preceding output and the line that
 * follows.
 */
public final class MarkedStream {
    private final StreamSentinel mark;
    private final StreamBuffer buffer;
    private byte[] held = new byte[0];
    private boolean marked;
    private Optional<String> trailer = Optional.empty();

    /**
     * Creates a stream.
     *
     * @param mark the sentinel that ends the stream
     * @param buffer receives the output before the sentinel
     */
    public MarkedStream(StreamSentinel mark, StreamBuffer buffer) {
        this.mark = mark;
        this.buffer = buffer;
    }

    /**
     * Accepts a piece of the stream, blocking while the buffer is full.
     *
     * @param bytes begins with the piece
     * @param length of the piece, in bytes
     * @return false if the reader has closed the stream before this output
     */
    public boolean accept(byte[] bytes, int length) {
        if (trailer.isPresent()) {
            return true;
        }
        byte[] data = bytes;
        int to = length;
        if (held.length > 0) {
            data = Arrays.copyOf(held, held.length + length);
            System.arraycopy(bytes, 0, data, held.length, length);
            to = data.length;
        }
        int at = marked ? 0 : mark.find(data, 0, to);
        boolean read = at == 0 || marked || buffer.put(data, 0, at);
        marked |= to - at >= mark.length();
        held = Arrays.copyOfRange(data, at, to);
        if (marked) {
            readTrailer();
        }
        return read;
    }

    private void readTrailer() {
        for (int index = mark.length(); index < held.length; index++) {
            if (held[index] == '\n') {
                trailer =
                        Optional.of(new String(held, mark.length(), index - mark.length(), StandardCharsets.US_ASCII));
                held = new byte[0];
                buffer.end();
                return;
            }
        }
    }

    /** Returns the line that the slot writes after the sentinel, once all of it has arrived. */
    public Optional<String> trailer() {
        return trailer;
    }

    /** Handles the end of the connection: bytes that resembled the start of a sentinel were output. */
    public void end() {
        if (!marked && held.length > 0) {
            buffer.put(held, 0, held.length);
        }
        buffer.end();
    }
}
