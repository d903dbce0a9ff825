package dev.paddock.harness.tools.output;

/**
 * Finds a terminal's control sequences in a text, character by character: such as {@code ESC [ … m}, in their 7-bit
 * form or as a control character ({@code U+009B}). The end of the line ends an unfinished sequence, so that it hides no
 * later line.
 */
final class ControlSequences {
    private static final char BELL = 0x07;
    private static final char CANCEL = 0x18;
    private static final char SUBSTITUTE = 0x1a;
    private static final char ESCAPE = 0x1b;

    /** A control from here to {@link #LAST_PAIR} means ESC and the character that is lower by this. */
    private static final int PAIR_OFFSET = 0x40;

    private static final char FIRST_PAIR = 0x80;
    private static final char LAST_PAIR = 0x9f;

    private State state = State.TEXT;

    private enum State {
        TEXT,
        /** After ESC or an intermediate character, before the final one. */
        ESCAPE,
        /** Between ESC [ and the final character. */
        SEQUENCE,
        /** In a string, such as that of ESC ], until BEL or ESC \. */
        STRING
    }

    /** Takes the next character, and returns whether it is text: neither part of a sequence nor a control. */
    boolean shows(char one) {
        if (one == '\n' || one == '\r') {
            state = State.TEXT;
            return false;
        }
        if (one == ESCAPE) {
            state = State.ESCAPE;
            return false;
        }
        if (one >= FIRST_PAIR && one <= LAST_PAIR) {
            state = afterEscape((char) (one - PAIR_OFFSET));
            return false;
        }
        return !continues(one) && (one == '\t' || !Character.isISOControl(one));
    }

    /** Advances the state; returns whether the character belongs to a control sequence. */
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
            default -> within = false;
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
