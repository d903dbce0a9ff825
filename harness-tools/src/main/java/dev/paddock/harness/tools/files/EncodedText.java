package dev.paddock.harness.tools.files;

import dev.paddock.harness.tools.ToolException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * The text of a file, as UTF-8 whatever the file's encoding. Keeps bytes that are not UTF-8 if the file mostly is, or
 * if its encoding is unknown.
 */
final class EncodedText {
    private final String shown;
    private final byte[] content;
    private final Optional<TextEncoding> encoding;
    private final Optional<String> text;

    private EncodedText(String shown, byte[] content, Optional<TextEncoding> encoding, Optional<String> text) {
        this.shown = shown;
        this.content = content;
        this.encoding = encoding;
        this.text = text;
    }

    /**
     * Decodes a file.
     *
     * @param given the encoding that the caller names
     * @throws ToolException if the file is not exactly in that encoding
     */
    static EncodedText of(String shown, byte[] content, Optional<TextEncoding> given) {
        Optional<TextEncoding> encoding =
                given.map(named -> named.withMarkOf(content)).or(() -> EncodingDetector.detect(content));
        Optional<String> text = encoding.filter(one -> !one.isUtf8()).flatMap(one -> one.decode(content));
        if (encoding.isPresent() && !encoding.get().isUtf8() && text.isEmpty()) {
            throw new ToolException(shown + " is not valid " + encoding.get() + ": some of its bytes would change. Name"
                    + " another encoding, or none");
        }
        return new EncodedText(shown, content, encoding, text);
    }

    /** Returns whether the file's encoding is known. */
    boolean isKnown() {
        return encoding.isPresent();
    }

    /** Returns the encoding if it is not UTF-8. */
    Optional<TextEncoding> other() {
        return encoding.filter(one -> !one.isUtf8());
    }

    byte[] utf8() {
        return text.map(one -> one.getBytes(StandardCharsets.UTF_8)).orElse(content);
    }

    /**
     * Returns the bytes of the file with a changed text.
     *
     * @param change the change of {@link #utf8()}
     * @param starts where it applies
     * @param changed the changed text
     * @param subject where the new text comes from, for the message
     * @throws ToolException if the encoding lacks a character, or bytes next to a change would change too
     */
    byte[] encode(Replacement change, int[] starts, byte[] changed, String subject) {
        if (text.isEmpty()) {
            return changed;
        }
        String after = new String(changed, StandardCharsets.UTF_8);
        byte[] encoded = encoding.orElseThrow().encode(after, subject);
        requireKept(change, starts, after, encoded);
        return encoded;
    }

    /**
     * Refuses a change that would alter bytes next to it: some encodings store two characters as one. Each part must be
     * stored as it is stored alone, in the file and in the new content.
     */
    private void requireKept(Replacement change, int[] starts, String after, byte[] encoded) {
        TextEncoding exact = encoding.orElseThrow();
        byte[] before = utf8();
        byte[] mark = exact.encode("", shown);
        Cursor file = new Cursor(content, mark);
        Cursor written = new Cursor(encoded, mark);
        change.eachPart(starts, (kept, from, to, by) -> {
            byte[] same = bytes(before, kept, from);
            file.skip(same);
            written.skip(same);
            file.skip(bytes(before, from, to));
            written.skip(bytes(by, 0, by.length));
        });
        if (!file.isAtEnd()
                || !written.isAtEnd()
                || exact.decode(encoded).filter(after::equals).isEmpty()) {
            throw new ToolException("the change would alter other bytes of " + shown + ", which is in " + exact
                    + ". Nothing was written. Change it with a command");
        }
    }

    private byte[] bytes(byte[] utf8, int from, int to) {
        Charset charset = encoding.orElseThrow().charset();
        return new String(utf8, from, to - from, StandardCharsets.UTF_8).getBytes(charset);
    }

    /** Compares bytes with consecutive parts. */
    private static final class Cursor {
        private final byte[] bytes;
        private int at;
        private boolean same = true;

        Cursor(byte[] bytes, byte[] start) {
            this.bytes = bytes;
            skip(start);
        }

        void skip(byte[] part) {
            same = same
                    && part.length <= bytes.length - at
                    && Arrays.equals(bytes, at, at + part.length, part, 0, part.length);
            at += same ? part.length : 0;
        }

        boolean isAtEnd() {
            return same && at == bytes.length;
        }
    }
}
