package dev.paddock.harness.tools.output;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Keeps the last raw bytes of a stream, with exact totals. Finds characters and lines when the tail is rendered, not as
 * blocks arrive: a character split between two blocks needs no special case, and a block costs a count and a copy.
 *
 * <p>Grows with the output up to {@link Tail#MAX_BYTES} and one byte more, which shows whether the tail starts a line.
 */
final class TailBuffer {
    private static final int CAPACITY = Tail.MAX_BYTES + 1;
    private static final int FIRST_CAPACITY = 8 * 1024;

    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long NEWLINES = 0x0A0A_0A0A_0A0A_0A0AL;
    private static final long LOWER_BITS = 0x7F7F_7F7F_7F7F_7F7FL;

    private byte[] ring = new byte[FIRST_CAPACITY];
    private long totalBytes;
    private long newlines;
    private byte lastByte;

    /**
     * Counts newlines eight bytes at a time: byte by byte, the count would cost as much as reading the pipe. A byte of
     * the word is zero where the block has a newline; adding 0x7f to its lower bits carries into its highest bit unless
     * they are zero, and no carry reaches a neighboring byte.
     */
    static int countNewlines(byte[] block, int length) {
        int count = 0;
        int at = 0;
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            long word = (long) WORDS.get(block, at) ^ NEWLINES;
            long nonZero = ((word & LOWER_BITS) + LOWER_BITS) | word | LOWER_BITS;
            count += Long.bitCount(~nonZero);
        }
        for (; at < length; at++) {
            if (block[at] == '\n') {
                count++;
            }
        }
        return count;
    }

    void append(byte[] block, int length, int newlinesInBlock) {
        grow(length);
        int skipped = Math.max(0, length - ring.length);
        int from = skipped;
        int at = (int) ((totalBytes + skipped) % ring.length);
        while (from < length) {
            int piece = Math.min(length - from, ring.length - at);
            System.arraycopy(block, from, ring, at, piece);
            from += piece;
            at = 0;
        }
        totalBytes += length;
        newlines += newlinesInBlock;
        lastByte = block[length - 1];
    }

    /** Grows the ring by a plain copy: it is in order until something is overwritten. */
    private void grow(int length) {
        long wanted = Math.min(CAPACITY, totalBytes + length);
        if (wanted > ring.length) {
            ring = Arrays.copyOf(ring, (int) Math.min(CAPACITY, Math.max(wanted, 2L * ring.length)));
        }
    }

    long totalBytes() {
        return totalBytes;
    }

    long newlines() {
        return newlines;
    }

    /** Returns the number of lines; a last line without a newline counts. */
    long totalLines() {
        return newlines + (totalBytes > 0 && lastByte != '\n' ? 1 : 0);
    }

    /** Returns the retained bytes, oldest first. */
    byte[] held() {
        if (totalBytes <= ring.length) {
            return Arrays.copyOf(ring, (int) totalBytes);
        }
        byte[] ordered = new byte[ring.length];
        int oldest = (int) (totalBytes % ring.length);
        System.arraycopy(ring, oldest, ordered, 0, ring.length - oldest);
        System.arraycopy(ring, 0, ordered, ring.length - oldest, oldest);
        return ordered;
    }
}
