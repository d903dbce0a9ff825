package dev.paddock.harness.tools.output;

/**
 * Turns what a terminal shows into text: removes control sequences, and makes each end of a line a
 * newline. Nobody sees colors and cursor movements, and a model pays for them.
 */
public final class TerminalText implements OutputSink {
    private static final int ESCAPE = 0x1b;
    private static final int BELL = 0x07;
    private static final int DELETE = 0x7f;
    private static final int STRING_END = '\\';

    private final OutputSink sink;
    private State state = State.TEXT;

    private enum State {
        TEXT,
        /** After a carriage return, which is a newline unless one follows. */
        RETURN,
        ESCAPE,
        /** Between ESC [ and its last byte. */
        SEQUENCE,
        /** Between ESC ] or the like and BEL or ESC \. */
        STRING,
        STRING_ESCAPE,
        /** After ESC ( and the like: one byte more. */
        ONE_MORE
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
        byte[] text = new byte[length + 1];
        int size = 0;
        for (int index = 0; index < length; index++) {
            int value = block[index] & 0xff;
            if (state == State.RETURN) {
                state = State.TEXT;
                text[size++] = '\n';
                if (value == '\n') {
                    continue;
                }
            }
            if (accept(value)) {
                text[size++] = block[index];
            }
        }
        return sink.append(text, size);
    }

    /** Returns whether a byte is text, and follows the control sequences. */
    private boolean accept(int value) {
        switch (state) {
            case ESCAPE -> state = afterEscape(value);
            case SEQUENCE -> state = value >= '@' && value <= '~' ? State.TEXT : State.SEQUENCE;
            case STRING -> state = inString(value);
            case STRING_ESCAPE -> state = value == STRING_END ? State.TEXT : afterEscape(value);
            case ONE_MORE -> state = State.TEXT;
            default -> {
                return plain(value);
            }
        }
        return false;
    }

    private static State afterEscape(int value) {
        return switch (value) {
            case '[' -> State.SEQUENCE;
            case ']', 'P', 'X', '^', '_' -> State.STRING;
            case '(', ')', '*', '+', '#', '%', ' ' -> State.ONE_MORE;
            case ESCAPE -> State.ESCAPE;
            default -> State.TEXT;
        };
    }

    private static State inString(int value) {
        return value == BELL ? State.TEXT : value == ESCAPE ? State.STRING_ESCAPE : State.STRING;
    }

    private boolean plain(int value) {
        if (value == ESCAPE) {
            state = State.ESCAPE;
        } else if (value == '\r') {
            state = State.RETURN;
        }
        return (value >= ' ' && value != DELETE) || value == '\n' || value == '\t';
    }
}
