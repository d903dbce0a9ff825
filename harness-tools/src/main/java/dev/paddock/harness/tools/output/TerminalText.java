package dev.paddock.harness.tools.output;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Turns a terminal's output into text. The sink receives only UTF-8 of newlines, tabs and characters that are no
 * controls: nobody sees colors and cursor movements, a model pays for them, and a terminal that shows the log would
 * obey them.
 *
 * <ul>
 *   <li>A carriage return, a newline, or one after the other, is one newline.
 *   <li>A {@linkplain ControlSequences control sequence} is removed as a whole.
 *   <li>Every other control character is removed. A backspace removes itself and erases nothing.
 *   <li>Bytes that are not UTF-8 become {@code U+FFFD}.
 * </ul>
 */
public final class TerminalText implements OutputSink {
    /** The longest incomplete character. */
    private static final int MAX_PENDING = 3;

    private final OutputSink sink;
    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    private byte[] pending = new byte[0];
    private final ControlSequences sequences = new ControlSequences();

    /** Whether the last character was a carriage return, so that a newline after it is not a second one. */
    private boolean returned;

    /**
     * Creates a filter.
     *
     * @param sink receives the text
     */
    public TerminalText(OutputSink sink) {
        this.sink = sink;
    }

    @Override
    public boolean append(byte[] block, int length) {
        ByteBuffer in = ByteBuffer.allocate(pending.length + length)
                .put(pending)
                .put(block, 0, length)
                .flip();
        CharBuffer characters = CharBuffer.allocate(in.remaining() + MAX_PENDING);
        decoder.decode(in, characters, false);
        pending = new byte[in.remaining()];
        in.get(pending);
        characters.flip();
        StringBuilder text = new StringBuilder(characters.length());
        while (characters.hasRemaining()) {
            accept(characters.get(), text);
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        return sink.append(bytes, bytes.length);
    }

    private void accept(char one, StringBuilder text) {
        if (sequences.shows(one)) {
            text.append(one);
        } else if (one == '\r' || (one == '\n' && !returned)) {
            text.append('\n');
        }
        returned = one == '\r';
    }
}
