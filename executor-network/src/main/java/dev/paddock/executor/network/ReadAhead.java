package dev.paddock.executor.network;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Buffers a stream, and returns the bytes that it has read ahead, so that a caller can go on with the underlying
 * stream; {@link java.io.BufferedInputStream} does not allow that. For one thread.
 */
final class ReadAhead extends InputStream {
    private static final int BYTES = 1 << 13;

    private final InputStream in;
    private byte[] ahead;
    private int position;
    private int end;

    /**
     * Creates a stream.
     *
     * @param first bytes that precede the rest; owned by this stream
     * @param rest the others
     */
    ReadAhead(byte[] first, InputStream rest) {
        in = rest;
        ahead = first;
        end = first.length;
    }

    /** Returns the bytes read from the underlying stream but not from this one; they count as read. */
    byte[] takeAhead() {
        byte[] taken = Arrays.copyOfRange(ahead, position, end);
        position = end;
        return taken;
    }

    @Override
    public int read() throws IOException {
        return hasAhead() ? ahead[position++] & 0xff : -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (position == end && length >= BYTES) {
            return in.read(bytes, offset, length);
        }
        if (length == 0) {
            return 0;
        }
        if (!hasAhead()) {
            return -1;
        }
        int count = Math.min(length, end - position);
        System.arraycopy(ahead, position, bytes, offset, count);
        position += count;
        return count;
    }

    /** Waits for a byte; returns whether there is one. */
    private boolean hasAhead() throws IOException {
        if (position == end) {
            if (ahead.length < BYTES) {
                ahead = new byte[BYTES];
            }
            position = 0;
            end = Math.max(0, in.read(ahead, 0, ahead.length));
        }
        return position < end;
    }

    @Override
    public int available() throws IOException {
        return end - position + in.available();
    }
}
