package dev.paddock.executor.docker;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;

/** Takes the engine's multiplexed stream apart: a frame is a stream's number, three zeros, a length, and that many bytes. */
final class Frames {
    private static final int HEADER = 8;
    private static final int CHUNK = 32 << 10;

    private final InputStream input;
    private final byte[] buffer = new byte[CHUNK];

    Frames(InputStream input) {
        this.input = input;
    }

    /** Takes pieces of a stream, in order; the bytes are the caller's own again when it returns. */
    interface Sink {
        /** Takes a piece of stream 1, standard output, or 2, standard error. */
        void accept(int stream, byte[] bytes, int length) throws IOException;
    }

    /** Reads until the end of the connection. */
    void forEach(Sink sink) throws IOException {
        byte[] header = new byte[HEADER];
        while (true) {
            int got = input.readNBytes(header, 0, HEADER);
            if (got == 0) {
                return;
            }
            if (got < HEADER) {
                throw new EOFException("the engine closed the connection in the middle of a frame");
            }
            int stream = header[0];
            long length = Integer.toUnsignedLong(((header[4] & 0xff) << 24)
                    | ((header[5] & 0xff) << 16)
                    | ((header[6] & 0xff) << 8)
                    | (header[7] & 0xff));
            if (stream < 0 || stream > 3 || header[1] != 0 || header[2] != 0 || header[3] != 0) {
                throw new IOException("the engine's stream is no sequence of frames");
            }
            forward(sink, stream == 0 ? 1 : stream, length);
        }
    }

    private void forward(Sink sink, int stream, long length) throws IOException {
        for (long left = length; left > 0; ) {
            int got = input.read(buffer, 0, (int) Math.min(CHUNK, left));
            if (got < 0) {
                throw new EOFException("the engine closed the connection in the middle of a frame");
            }
            sink.accept(stream, buffer, got);
            left -= got;
        }
    }
}
