package dev.paddock.executor.worktree.files;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Collects bytes for comparison: a few verbatim, more as their SHA-256 hash. */
final class Digest {
    /** More bytes are represented by their hash. */
    static final int MAX_KEPT = 1 << 16;

    private final StringBuilder kept = new StringBuilder();
    private @Nullable MessageDigest hash;

    /** Adds a text; each character is a byte. */
    void add(String bytes) {
        if (hash == null && kept.length() + bytes.length() <= MAX_KEPT) {
            kept.append(bytes);
        } else {
            hash().update(bytes.getBytes(StandardCharsets.ISO_8859_1));
        }
    }

    void add(byte[] bytes, int length) {
        if (hash == null && kept.length() + length <= MAX_KEPT) {
            kept.append(new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
        } else {
            hash().update(bytes, 0, length);
        }
    }

    private MessageDigest hash() {
        MessageDigest begun = hash;
        if (begun == null) {
            begun = sha256();
            begun.update(kept.toString().getBytes(StandardCharsets.ISO_8859_1));
            hash = begun;
        }
        return begun;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible); // every Java platform has it
        }
    }

    /** Returns all bytes, or their hash; call it once, after the last byte. */
    String text() {
        return hash == null ? kept.toString() : HexFormat.of().formatHex(hash.digest());
    }
}
