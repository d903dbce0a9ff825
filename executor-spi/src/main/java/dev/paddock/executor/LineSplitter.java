package dev.paddock.executor;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.util.function.Consumer;

/**
 * Decodes a stream incrementally and splits it into lines at LF, CR LF and CR. Malformed
 * bytes become replacement characters; a line that is too long is delivered in parts.
 */
final class LineSplitter {
    private static final int BLOCK = 8192;

    private final CharsetDecoder decoder;
    private final int maxLine;
    private final Consumer<String> lines;
    private final CharBuffer chars = CharBuffer.allocate(BLOCK);
    private final StringBuilder line = new StringBuilder();
    private ByteBuffer pending = ByteBuffer.allocate(0);
    private boolean afterCarriageReturn;

    LineSplitter(Charset charset, int maxLine, Consumer<String> lines) {
        this.decoder = charset.newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE);
        this.maxLine = maxLine;
        this.lines = lines;
    }

    void append(byte[] block, int length) {
        ByteBuffer input = ByteBuffer.allocate(pending.remaining() + length)
                .put(pending)
                .put(block, 0, length)
                .flip();
        decode(input, false);
        pending = input;
    }

    /** Delivers the unterminated last line, if there is one. */
    void end() {
        decode(pending, true);
        decoder.flush(chars);
        split();
        if (!line.isEmpty()) {
            deliver();
        }
    }

    private void decode(ByteBuffer input, boolean last) {
        boolean more = true;
        while (more) {
            more = decoder.decode(input, chars, last).isOverflow();
            split();
        }
    }

    private void split() {
        chars.flip();
        while (chars.hasRemaining()) {
            take(chars.get());
        }
        chars.clear();
    }

    private void take(char next) {
        boolean ofCarriageReturn = next == '\n' && afterCarriageReturn;
        afterCarriageReturn = next == '\r';
        if (ofCarriageReturn) {
            return;
        }
        if (next == '\n' || next == '\r') {
            deliver();
            return;
        }
        // A surrogate pair stays in one part.
        if (line.length() >= maxLine && !Character.isLowSurrogate(next)) {
            deliver();
        }
        line.append(next);
    }

    private void deliver() {
        String text = line.toString();
        line.setLength(0);
        lines.accept(text);
    }
}
