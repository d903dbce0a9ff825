package dev.paddock.executor.run;

/**
 * How much of each output stream a run keeps in memory.
 *
 * @param head the first bytes, kept always
 * @param tail the last bytes, kept of the rest
 * @since 0.1
 */
public record Capture(int head, int tail) {
    /** The most bytes that can be kept of a stream: 256 MiB. */
    public static final int MAX_BYTES = 256 << 20;

    /**
     * Creates a capture.
     *
     * @throws IllegalArgumentException if a number is negative or their sum exceeds {@link #MAX_BYTES}
     */
    public Capture {
        if (head < 0 || tail < 0 || (long) head + tail > MAX_BYTES) {
            throw new IllegalArgumentException("a capture of " + head + " and " + tail + " bytes is not within 0 and "
                    + MAX_BYTES + "; use toFile for more");
        }
    }

    /**
     * Keeps half of the bytes from the start of a stream and half from its end.
     *
     * @param bytes the most bytes to keep of each stream, 0 to {@link #MAX_BYTES}
     * @return the capture
     * @throws IllegalArgumentException if the number is not in that range
     */
    public static Capture headAndTail(int bytes) {
        return new Capture(bytes / 2, bytes - bytes / 2);
    }
}
