package dev.paddock.executor.worktree.git.index;

import java.util.BitSet;

/**
 * Reads a compressed bitmap: words of markers, each followed by as many literal words as it counts. Git calls back for
 * each set bit without checking that its position exists.
 */
final class EwahBitmap {
    private static final int WORD = Long.SIZE;
    private static final int RUN_LENGTH_BITS = 32;

    private EwahBitmap() {}

    /**
     * Reads a bitmap.
     *
     * @param limit the first position that must not be set
     */
    static BitSet read(IndexInput input, int limit) throws MalformedIndexException {
        long size = input.unsignedInt();
        long words = input.unsignedInt();
        if (size > limit || words > input.remaining() / Long.BYTES) {
            throw input.malformed();
        }
        BitSet bits = new BitSet();
        long position = 0;
        long marker = -1;
        long at = 0;
        while (at < words) {
            marker = at;
            long word = input.signedLong();
            long run = (word >>> 1 & 0xffff_ffffL) * WORD;
            long literals = word >>> (RUN_LENGTH_BITS + 1);
            at += 1 + literals;
            if (at > words) {
                throw input.malformed();
            }
            if ((word & 1) != 0) {
                set(bits, position, position + run, limit, input);
            }
            position += run;
            for (long literal = 0; literal < literals; literal++) {
                for (long rest = input.signedLong(); rest != 0; rest &= rest - 1) {
                    long bit = position + Long.numberOfTrailingZeros(rest);
                    set(bits, bit, bit + 1, limit, input);
                }
                position += WORD;
            }
        }
        if (input.unsignedInt() != marker) {
            throw input.malformed();
        }
        return bits;
    }

    private static void set(BitSet bits, long from, long to, int limit, IndexInput input)
            throws MalformedIndexException {
        if (to > limit) {
            throw input.malformed();
        }
        bits.set((int) from, (int) to);
    }
}
