package dev.paddock.harness.tools.files;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/**
 * Counts UTF-8 sequences in some bytes.
 *
 * @param characters the characters of several bytes
 * @param invalid the sequences that are not UTF-8
 * @param nul whether a byte is NUL, which no text contains
 */
record Utf8Count(long characters, long invalid, boolean nul) {

    static Utf8Count of(byte[] content) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        ByteBuffer in = ByteBuffer.wrap(content);
        CharBuffer out = CharBuffer.allocate(1 << 13);
        long characters = 0;
        long invalid = 0;
        boolean nul = false;
        while (true) {
            CoderResult result = decoder.decode(in, out, true);
            for (int i = 0; i < out.position(); i++) {
                char found = out.get(i);
                characters += found >= 0x80 && !Character.isLowSurrogate(found) ? 1 : 0;
                nul |= found == 0;
            }
            out.clear();
            if (result.isUnderflow()) {
                return new Utf8Count(characters, invalid, nul);
            }
            if (result.isError()) {
                invalid++;
                in.position(in.position() + result.length());
            }
        }
    }
}
