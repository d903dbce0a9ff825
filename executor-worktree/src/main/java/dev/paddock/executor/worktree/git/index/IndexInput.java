package dev.paddock.executor.worktree.git.index;

import java.nio.ByteBuffer;

/** Reads a part of an index from its start to its end. A read beyond the end is a defect of the index. */
final class IndexInput {
    private static final int MAX_VARIABLE_NUMBER_LENGTH = 5;

    private final byte[] bytes;
    private final ByteBuffer numbers;
    private final String part;
    private final int end;
    private int at;

    private IndexInput(byte[] bytes, ByteBuffer numbers, String part, int from, int to) {
        this.bytes = bytes;
        this.numbers = numbers;
        this.part = part;
        this.at = from;
        this.end = to;
    }

    static IndexInput of(byte[] bytes, int to) {
        return new IndexInput(bytes, ByteBuffer.wrap(bytes), "its list of entries", 0, to);
    }

    /** Returns an input of the next bytes, and skips them. */
    IndexInput part(String name, int length) throws MalformedIndexException {
        int from = skip(length);
        return new IndexInput(bytes, numbers, name, from, from + length);
    }

    byte[] bytes() {
        return bytes;
    }

    int position() {
        return at;
    }

    int remaining() {
        return end - at;
    }

    /** Skips bytes, and returns the position of the first. */
    int skip(int length) throws MalformedIndexException {
        if (length < 0 || length > end - at) {
            throw new MalformedIndexException(part + " is longer than the file");
        }
        int from = at;
        at += length;
        return from;
    }

    int unsignedByte() throws MalformedIndexException {
        return Byte.toUnsignedInt(bytes[skip(1)]);
    }

    int unsignedShort() throws MalformedIndexException {
        return Short.toUnsignedInt(numbers.getShort(skip(2)));
    }

    int signedInt() throws MalformedIndexException {
        return numbers.getInt(skip(4));
    }

    long unsignedInt() throws MalformedIndexException {
        return Integer.toUnsignedLong(signedInt());
    }

    long signedLong() throws MalformedIndexException {
        return numbers.getLong(skip(8));
    }

    /** Reads a length, which cannot exceed the rest. */
    int length() throws MalformedIndexException {
        long length = unsignedInt();
        if (length > remaining()) {
            throw new MalformedIndexException(part + " is longer than the file");
        }
        return (int) length;
    }

    /** Reads a number in the encoding of offsets in packs. */
    long variableNumber() throws MalformedIndexException {
        int next = unsignedByte();
        long number = next & 0x7f;
        for (int read = 1; (next & 0x80) != 0; read++) {
            if (read == MAX_VARIABLE_NUMBER_LENGTH) {
                throw new MalformedIndexException(part + " has a number that is too large");
            }
            next = unsignedByte();
            number = ((number + 1) << 7) | (next & 0x7f);
        }
        return number;
    }

    /** Skips bytes and the NUL after them, and returns the position of the NUL. */
    int throughNul() throws MalformedIndexException {
        int nul = at;
        while (nul < end && bytes[nul] != 0) {
            nul++;
        }
        if (nul == end) {
            throw new MalformedIndexException(part + " has a name without an end");
        }
        at = nul + 1;
        return nul;
    }

    void requireNul(int count) throws MalformedIndexException {
        int from = skip(count);
        for (int byteAt = from; byteAt < at; byteAt++) {
            if (bytes[byteAt] != 0) {
                throw new MalformedIndexException(part + " has other bytes than NUL between two entries");
            }
        }
    }

    void requireEnd() throws MalformedIndexException {
        if (at != end) {
            throw new MalformedIndexException(part + " has " + (end - at) + " bytes too many");
        }
    }

    /** Returns the defect that the part is not as git writes it. */
    MalformedIndexException malformed() {
        return new MalformedIndexException(part + " is not as git writes it");
    }
}
