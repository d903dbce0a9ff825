package dev.paddock.executor.remote.shell;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes a command's input in frames to a channel that cannot end only a process's input: a line with the length of
 * each frame, and a line with 0 at the end. The slot's shell unpacks them.
 */
public final class InputFrames {
    /** One read of the program that copies a frame, which bounds its memory. */
    private static final int MAX_FRAME_BYTES = 128 << 10;

    private InputFrames() {}

    /**
     * Writes bytes in frames.
     *
     * @param channel the slot's input
     * @param bytes contains them
     * @param offset their first index
     * @param length their number; 0 writes no frame
     * @throws IOException if the channel fails
     */
    public static void write(OutputStream channel, byte[] bytes, int offset, int length) throws IOException {
        write(channel, bytes, offset, length, MAX_FRAME_BYTES);
    }

    /**
     * Writes bytes in frames of at most a given size.
     *
     * @param largest the most bytes of a frame
     */
    public static void write(OutputStream channel, byte[] bytes, int offset, int length, int largest)
            throws IOException {
        for (int from = offset; from < offset + length; ) {
            int count = Math.min(largest, offset + length - from);
            ByteArrayOutputStream frame = new ByteArrayOutputStream(count + 8);
            frame.writeBytes((count + "\n").getBytes(StandardCharsets.US_ASCII));
            frame.write(bytes, from, count);
            channel.write(frame.toByteArray());
            from += count;
        }
    }

    /**
     * Writes the end of the input.
     *
     * @param channel the slot's input
     * @throws IOException if the channel fails
     */
    public static void end(OutputStream channel) throws IOException {
        channel.write("0\n".getBytes(StandardCharsets.US_ASCII));
    }
}
