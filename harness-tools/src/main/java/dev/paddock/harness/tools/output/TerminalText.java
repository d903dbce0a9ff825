package dev.paddock.harness.tools.output;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Turns what a terminal shows into text. The sink receives UTF-8 that consists of newlines, tabs and
 * characters that are no controls, and nothing else: nobody sees colors and cursor movements, a
 * model pays for them, and a person's terminal that shows the log would obey them.
 *
 * <ul>
 *   <li>A carriage return, a newline, or one after the other, is one newline.
 *   <li>A control sequence is removed as a whole, in its form of 7 bits ({@code ESC [}) or as a
 *       control character ({@code U+009B}). It ends with the line at the latest, so that one that
 *       is never finished hides no later line.
 *   <li>Every other control character is removed. A backspace removes itself and erases nothing.
 *   <li>Bytes that are not UTF-8 become {@code U+FFFD}.
 * </ul>
 */
public final class TerminalText implements OutputSink {
    private static final char BELL = 0x07;
    private static final char CANCEL = 0x18;
    private static final char SUBSTITUTE = 0x1a;
    private static final char ESCAPE = 0x1b;

    /** The controls from here to {@link #LAST_PAIR} stand for ESC and a character that is lower by this. */
    private static final int PAIR_OFFSET = 0x40;

    private static final char FIRST_PAIR = 0x80;
    private static final char LAST_PAIR = 0x9f;

    /** The longest incomplete character. */
    private static final int MOST_PENDING = 3;

    private final OutputSink sink;
    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    private byte[] pending = new byte[0];
    private State state = State.TEXT;

    private enum State {
        TEXT,
        /** After a carriage return, which was a newline; the newline that may follow is the same. */
        RETURN,
        /** After ESC, and characters between it and the last of its sequence. */
        ESCAPE,
        /** Between ESC [ and its last character. */
        SEQUENCE,
        /** Between ESC ] or the like and BEL or ESC \. */
        STRING
    }

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
        CharBuffer characters = CharBuffer.allocate(in.remaining() + MOST_PENDING);
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
        if (one == '\n' || one == '\r') {
            if (one == '\r' || state != State.RETURN) {
                text.append('\n');
            }
            state = one == '\r' ? State.RETURN : State.TEXT;
        } else if (one == ESCAPE) {
            state = State.ESCAPE;
        } else if (one >= FIRST_PAIR && one <= LAST_PAIR) {
            state = afterEscape((char) (one - PAIR_OFFSET));
        } else {
            boolean within = continues(one);
            if (!within && (one == '\t' || !Character.isISOControl(one))) {
                text.append(one);
            }
        }
    }

    /** Returns whether a character belongs to a control sequence, and follows the sequence. */
    private boolean continues(char one) {
        boolean within;
        switch (state) {
            case ESCAPE -> {
                within = one >= ' ' && one <= '~';
                state = within ? afterEscape(one) : State.TEXT;
            }
            case SEQUENCE -> {
                within = one >= ' ' && one <= '~';
                state = within && one < '@' ? State.SEQUENCE : State.TEXT;
            }
            case STRING -> {
                within = one != BELL && one != CANCEL && one != SUBSTITUTE;
                state = within ? State.STRING : State.TEXT;
            }
            default -> {
                within = false;
                state = State.TEXT;
            }
        }
        return within;
    }

    private static State afterEscape(char one) {
        return switch (one) {
            case '[' -> State.SEQUENCE;
            case ']', 'P', 'X', '^', '_' -> State.STRING;
            default -> one < '0' ? State.ESCAPE : State.TEXT;
        };
    }
}
