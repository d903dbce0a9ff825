package dev.paddock.executor.os.io;

/**
 * Decides how the end of input is typed at a terminal: its character once at the beginning of a line, and twice within
 * one, where the first only ends the line. One thread at a time writes.
 */
public final class TypedLine {
    private static final byte[] NOTHING = {};
    private volatile int last = '\n';

    /**
     * Records typed input.
     *
     * @param newest its last byte
     */
    public void typed(byte newest) {
        last = newest;
    }

    /**
     * Returns what to type for the end of input.
     *
     * @param character the terminal's end-of-input character; 0 for none
     * @return the bytes; none without such a character
     */
    public byte[] end(byte character) {
        if (character == 0) {
            return NOTHING;
        }
        boolean begins = last == '\n' || last == '\r' || last == character;
        return begins ? new byte[] {character} : new byte[] {character, character};
    }
}
