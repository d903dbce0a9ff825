package dev.paddock.executor.remote.shell;

import java.security.SecureRandom;

/**
 * The byte sequence that a slot writes on a stream after the last output. Docker closes the streams of an exec 2
 * seconds after its process has ended, read or not, and so loses output of a slow reader; and any process that has
 * inherited a stream keeps it open. Therefore the slot itself marks the end of a stream, and stays until that has been
 * read.
 *
 * <p>The sentinel is unpredictable, and begins with a byte that no text contains. A piece of output that could be its
 * beginning must wait for its continuation, and so hardly ever occurs.
 */
final class StreamSentinel {
    private static final int LENGTH = 18;

    /** Each byte of a sentinel has these two bits. */
    private static final int MIN_BYTE = 0xc0;

    private static final SecureRandom RANDOM = new SecureRandom();

    private final byte[] bytes;

    private StreamSentinel(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Creates a random sentinel. */
    public static StreamSentinel random() {
        byte[] bytes = new byte[LENGTH];
        for (int index = 0; index < LENGTH; index++) {
            // 0xC0 to 0xFE: neither NUL nor newline, and never the first byte again
            bytes[index] = (byte) (index == 0 ? 0xff : MIN_BYTE + RANDOM.nextInt(0x3f));
        }
        return new StreamSentinel(bytes);
    }

    int length() {
        return LENGTH;
    }

    /** Returns the sentinel in the octal escapes of {@code printf}. */
    String octal() {
        StringBuilder text = new StringBuilder(LENGTH * 4);
        for (byte value : bytes) {
            text.append('\\').append(Integer.toOctalString(value & 0xff));
        }
        return text.toString();
    }

    /**
     * Finds the sentinel, or a possible beginning of it at the end of the data.
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

    /** Skips 18 bytes at a time while the last of them cannot belong to a sentinel: none then begins among them. */
    private static int skip(byte[] data, int from, int to) {
        int index = from;
        while (to - index >= LENGTH && (data[index + LENGTH - 1] & MIN_BYTE) != MIN_BYTE) {
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
