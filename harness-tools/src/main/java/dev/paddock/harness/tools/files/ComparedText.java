package dev.paddock.harness.tools.files;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A text without the parts that editors may change: byte order mark, carriage returns of line ends,
 * last line feed.
 */
record ComparedText(String text) {
    private static final String MARK = "\ufeff";

    static ComparedText of(String text) {
        String lines = text.startsWith(MARK) ? text.substring(1) : text;
        String bare = lines.replace("\r\n", "\n");
        return new ComparedText(bare.endsWith("\n") ? bare.substring(0, bare.length() - 1) : bare);
    }

    /** Returns the SHA-256 of the text. */
    String hash() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible); // each JDK has it
        }
    }

    /** Returns the number of the first line that differs from another text, from 1. */
    long firstDifference(ComparedText other) {
        int shorter = Math.min(text.length(), other.text.length());
        int at = 0;
        long line = 1;
        while (at < shorter && text.charAt(at) == other.text.charAt(at)) {
            line += text.charAt(at) == '\n' ? 1 : 0;
            at++;
        }
        String longer = text.length() > shorter ? text : other.text;
        return at == shorter && longer.startsWith("\n", at) ? line + 1 : line;
    }
}
