package dev.paddock.executor.worktree.git.index;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** A repository's object format: the hash of its object names and checksums. */
public enum HashFormat {
    SHA_1("SHA-1"),
    SHA_256("SHA-256");

    private final String algorithm;
    private final int length;

    HashFormat(String algorithm) {
        this.algorithm = algorithm;
        this.length = digest(algorithm).getDigestLength();
    }

    int length() {
        return length;
    }

    MessageDigest digest() {
        return digest(algorithm);
    }

    /** Returns the first bytes of the hash of a file with a content. */
    public long ofFile(byte[] content) {
        MessageDigest digest = digest();
        digest.update(("blob " + content.length + "\0").getBytes(StandardCharsets.US_ASCII));
        return start(digest.digest(content), 0);
    }

    /** Returns the first bytes of the hash at a position. */
    long start(byte[] bytes, int from) {
        return ByteBuffer.wrap(bytes).getLong(from);
    }

    private static MessageDigest digest(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible); // every Java platform has both
        }
    }
}
