package dev.paddock.harness.audit.store;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Computes the chain's hashes and MACs, over texts that can be reproduced with shell tools. Not
 * safe for use by several threads.
 */
final class Chain {
    private static final String VERSION = "paddock-audit-1\n";
    private static final HexFormat HEX = HexFormat.of();

    /** Separates MACs by purpose: one is not valid for another. */
    enum Purpose {
        RECORD,
        HEAD,
        ANCHOR
    }

    private final MessageDigest digest = newDigest();
    private final Mac mac;

    Chain(AuditKey key) {
        try {
            mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key.bytes(), "HmacSHA256"));
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every JDK has HMAC-SHA256", missing);
        }
    }

    /** Returns the position after the previous one, with a record added. */
    AuditHead next(AuditHead previous, String line) {
        return hashed(previous.seq() + 1, previous.hash(), line);
    }

    AuditHead hashed(long seq, String previous, String line) {
        String text = VERSION + seq + "\n" + previous + "\n" + line;
        return new AuditHead(seq, HEX.formatHex(digest.digest(utf8(text))));
    }

    String sign(Purpose purpose, AuditHead position) {
        String text = VERSION + purpose + "\n" + position.seq() + "\n" + position.hash();
        return HEX.formatHex(mac.doFinal(utf8(text)));
    }

    boolean isSigned(Purpose purpose, AuditHead position, String signature) {
        return MessageDigest.isEqual(utf8(sign(purpose, position)), utf8(signature));
    }

    static String sha256(String text) {
        return HEX.formatHex(newDigest().digest(utf8(text)));
    }

    private static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every JDK has SHA-256", missing);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
