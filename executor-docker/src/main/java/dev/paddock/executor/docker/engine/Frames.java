package dev.paddock.executor.docker.engine;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Demultiplexes the engine's stream: a frame is a stream number, three zeros, a length, and that many bytes.
 *
 * <p>A program that writes in small pieces produces thousands of small frames a second. The reader therefore reads all
 * bytes that have arrived, and delivers consecutive frames of the same stream together.
 */
public final class Frames {
    private static final int HEADER = 8;
    private static final int FIRST_CAPACITY = 4 << 10;

    /** Twice the size of the largest frames that engines produce. */
    private static final int CAPACITY = 64 << 10;

    private final InputStream input;
    private byte[] buffer = new byte[FIRST_CAPACITY];
    private int position;
    private int limit;
    private int stream;
    /** The bytes of the current frame that have not yet arrived. */
    private long left;

    public Frames(InputStream input) {
        this.input = input;
    }

    /** Receives pieces of a stream, in order; the caller reuses the array when the method returns. */
    public interface Sink {
        /** Receives a piece of stream 1, standard output, or 2, standard error. */
        void accept(int stream, byte[] bytes, int length) throws IOException;
    }

    public void forEach(Sink sink) throws IOException {
        while (fill()) {
            deliver(sink);
        }
        if (left > 0 || limit > 0) {
            throw new EOFException("the engine closed the connection in the middle of a frame");
        }
    }

    /**
     * Appends the bytes that have arrived to the partial header in the buffer; returns false at the end of the
     * connection.
     */
    private boolean fill() throws IOException {
        System.arraycopy(buffer, position, buffer, 0, limit - position);
        limit -= position;
        position = 0;
        int got = input.read(buffer, limit, buffer.length - limit);
        limit += Math.max(0, got);
        return got >= 0;
    }

    /** Moves the payloads over the headers between them, to the start of the buffer. */
    private void deliver(Sink sink) throws IOException {
        boolean full = limit == buffer.length;
        int gathered = 0;
        while (left > 0 ? position < limit : limit - position >= HEADER) {
            if (left == 0) {
                int before = stream;
                begin();
                if (stream != before && gathered > 0) {
                    sink.accept(before, buffer, gathered);
                    gathered = 0;
                }
            }
            int count = (int) Math.min(left, limit - position);
            System.arraycopy(buffer, position, buffer, gathered, count);
            gathered += count;
            position += count;
            left -= count;
        }
        if (gathered > 0) {
            sink.accept(stream, buffer, gathered);
        }
        if (full && buffer.length < CAPACITY) {
            buffer = Arrays.copyOf(buffer, CAPACITY);
        }
    }

    private void begin() throws IOException {
        int number = buffer[position];
        if (number < 0
                || number > 3
                || buffer[position + 1] != 0
                || buffer[position + 2] != 0
                || buffer[position + 3] != 0) {
            throw new IOException("the engine's stream is no sequence of frames");
        }
        stream = number == 0 ? 1 : number;
        left = Integer.toUnsignedLong(((buffer[position + 4] & 0xff) << 24)
                | ((buffer[position + 5] & 0xff) << 16)
                | ((buffer[position + 6] & 0xff) << 8)
                | (buffer[position + 7] & 0xff));
        position += HEADER;
    }
}
