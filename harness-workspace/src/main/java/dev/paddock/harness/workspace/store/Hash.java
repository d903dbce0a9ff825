package dev.paddock.harness.workspace.store;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A SHA-256. */
record Hash(long a, long b, long c, long d) {
    static final int BYTES = 32;

    /** The hash of an entry without content. */
    static final Hash NONE = new Hash(0, 0, 0, 0);

    static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static Hash of(byte[] content, int offset, int length) {
        MessageDigest digest = digest();
        digest.update(content, offset, length);
        return of(digest.digest());
    }

    static Hash of(byte[] value) {
        ByteBuffer bytes = ByteBuffer.wrap(value);
        return new Hash(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
    }

    byte[] bytes() {
        return ByteBuffer.allocate(BYTES)
                .putLong(a)
                .putLong(b)
                .putLong(c)
                .putLong(d)
                .array();
    }

    String hex() {
        return HexFormat.of().formatHex(bytes());
    }
}
