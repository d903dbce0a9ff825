package dev.paddock.harness.workspace.store;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * Computes the hash of a large content in time proportional to its data: for each nonzero page its offset and
 * bytes, then the size. A hole and the same range of zeros have equal hashes.
 */
final class PageHash {
    private static final int PAGE = 4096;
    private static final byte[] ZEROS = new byte[PAGE];

    /** Distinguishes these hashes from those of small contents with the same hashed bytes. */
    private static final long MARK = 0x5041_4745_5041_4745L;

    private final MessageDigest digest = Hash.digest();
    private final byte[] page = new byte[PAGE];
    private final ByteBuffer number = ByteBuffer.allocate(Long.BYTES);
    private long start;
    private int filled;

    /** Adds bytes at an offset, not before the end of the bytes added so far. */
    void add(long offset, ByteBuffer bytes) {
        if (offset - offset % PAGE != start) {
            finishPage();
            start = offset - offset % PAGE;
        }
        skipTo((int) (offset - start));
        while (bytes.hasRemaining()) {
            int length = Math.min(PAGE - filled, bytes.remaining());
            bytes.get(page, filled, length);
            filled += length;
            if (filled == PAGE) {
                finishPage();
                start += PAGE;
            }
        }
    }

    private void skipTo(int position) {
        while (filled < position) {
            page[filled++] = 0;
        }
    }

    private void finishPage() {
        if (filled == 0) {
            return;
        }
        skipTo(PAGE);
        filled = 0;
        if (!Arrays.equals(page, ZEROS)) {
            number(start);
            digest.update(page);
        }
    }

    private void number(long value) {
        digest.update(number.putLong(0, value).array());
    }

    /** Returns the hash of a content of a size. */
    Hash finish(long size) {
        finishPage();
        number(size);
        Hash hash = Hash.of(digest.digest());
        return new Hash(hash.a() ^ MARK, hash.b(), hash.c(), hash.d());
    }
}
