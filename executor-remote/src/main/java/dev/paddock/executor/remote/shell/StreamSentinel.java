package dev.paddock.executor.remote.shell;

import java.security.SecureRandom;

/**
 * What a slot writes on a stream when nothing more follows. Docker closes the streams of an exec 2 seconds after its
 * process has ended, read or not, and so loses output of a slow reader; and whoever has inherited a stream holds it open.
 * So the slot says itself where a stream ends, and stays until that has been read.
 *
 * <p>Unpredictable, and it begins with a byte that no text contains, so that a piece of output that might be the mark's
 * beginning, and has to wait for its continuation, is next to never one.
 */
public final class StreamSentinel {
    private static final int LENGTH = 18;

    /** Each byte of a mark has these two bits. */
    private static final int LOWEST = 0xc0;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final byte[] bytes;

    private StreamSentinel(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Makes one. */
    public static StreamSentinel random() {
        byte[] bytes = new byte[LENGTH];
        for (int index = 0; index < LENGTH; index++) {
            // 0xC0 to 0xFE: neither NUL nor newline, and never the first byte again
            bytes[index] = (byte) (index == 0 ? 0xff : LOWEST + RANDOM.nextInt(0x3f));
        }
        return new StreamSentinel(bytes);
    }

    int length() {
        return LENGTH;
    }

    /** As {@code printf} takes it. */
    String octal() {
        StringBuilder text = new StringBuilder(LENGTH * 4);
        for (byte value : bytes) {
            text.append('\\').append(Integer.toOctalString(value & 0xff));
        }
        return text.toString();
    }

    /**
     * Where the mark, or what may be its beginning at the end of the data, begins.
     *
     * @return the index, or {@code to} if there is neither
     */
    int find(byte[] data, int from, int to) {
        for (int index = skip(data, from, to); index < to; index = skip(data, index + 1, to)) {
            if (data[index] == bytes[0] && matches(data, index, to)) {
                return index;
            }
        }
        return to;
    }

    /** From 18 bytes to the next, as long as the last of them belongs to no mark: then none begins among them. */
    private static int skip(byte[] data, int from, int to) {
        int index = from;
        while (to - index >= LENGTH && (data[index + LENGTH - 1] & LOWEST) != LOWEST) {
            index += LENGTH;
        }
        return index;
    }

    private boolean matches(byte[] data, int at, int to) {
        int length = Math.min(LENGTH, to - at);
        for (int index = 1; index < length; index++) {
            if (data[at + index] != bytes[index]) {
                return false;
            }
        }
        return true;
    }
}
