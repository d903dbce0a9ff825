package dev.paddock.harness.tools.files;

import dev.paddock.harness.tools.ToolException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * The text of a file, as UTF-8 whatever the file's encoding. Bytes that are not UTF-8 in a file that
 * mostly is, or whose encoding is not known, stay as they are.
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

    /** Returns whether it is known how the file stores characters. */
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
     * @param changed the text as UTF-8
     * @param subject where the new text comes from, for the message
     * @throws ToolException if the encoding lacks a character, or bytes before or after the change would
     *     change too
     */
    byte[] encode(byte[] changed, String subject) {
        if (text.isEmpty()) {
            return changed;
        }
        String after = new String(changed, StandardCharsets.UTF_8);
        byte[] encoded = encoding.orElseThrow().encode(after, subject);
        requireKept(text.get(), after, encoded);
        return encoded;
    }

    /**
     * Refuses a change that would alter bytes next to it: some encodings store two characters as
     * one.
     */
    private void requireKept(String before, String after, byte[] encoded) {
        TextEncoding exact = encoding.orElseThrow();
        int shorter = Math.min(before.length(), after.length());
        int head = 0;
        while (head < shorter && before.charAt(head) == after.charAt(head)) {
            head++;
        }
        int tail = 0;
        while (tail < shorter - head
                && before.charAt(before.length() - 1 - tail) == after.charAt(after.length() - 1 - tail)) {
            tail++;
        }
        head -= head > 0 && Character.isHighSurrogate(before.charAt(head - 1)) ? 1 : 0;
        int end = before.length() - tail;
        tail -= tail > 0 && Character.isLowSurrogate(before.charAt(end)) ? 1 : 0;
        byte[] kept = exact.encode(before.substring(0, head), shown);
        byte[] last = new TextEncoding(exact.charset(), false).encode(before.substring(before.length() - tail), shown);
        boolean same = kept.length + last.length <= encoded.length
                && Arrays.equals(kept, 0, kept.length, encoded, 0, kept.length)
                && Arrays.equals(kept, 0, kept.length, content, 0, kept.length)
                && Arrays.equals(last, 0, last.length, encoded, encoded.length - last.length, encoded.length)
                && Arrays.equals(last, 0, last.length, content, content.length - last.length, content.length);
        if (!same || exact.decode(encoded).filter(after::equals).isEmpty()) {
            throw new ToolException("the change would alter other bytes of " + shown + ", which is in " + exact
                    + ". Nothing was written. Change it with a command");
        }
    }
}
