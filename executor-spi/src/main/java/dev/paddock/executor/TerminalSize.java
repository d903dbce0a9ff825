package dev.paddock.executor;

/**
 * The size of a terminal, in characters.
 *
 * @param columns characters in a line, 1 to {@value #MAX}
 * @param rows lines, 1 to {@value #MAX}
 * @since 0.1
 */
public record TerminalSize(int columns, int rows) {

    /** The most columns or rows: the kernel keeps each in 16 bits. */
    public static final int MAX = 65_535;

    /**
     * Creates a size.
     *
     * @throws IllegalArgumentException if the columns or the rows are out of their range
     */
    public TerminalSize {
        if (columns < 1 || columns > MAX || rows < 1 || rows > MAX) {
            throw new IllegalArgumentException("a terminal has 1 to " + MAX + " columns and rows, not " + columns
                    + " columns and " + rows + " rows");
        }
    }

    /** Returns the size as {@code 80x24}: columns, then rows. */
    @Override
    public String toString() {
        return columns + "x" + rows;
    }
}
