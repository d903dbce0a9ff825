package dev.paddock.cli.terminal;

/**
 * Makes text from other programs safe for a terminal: shows control characters, and characters that change the text's
 * direction, instead of letting them take effect.
 */
public final class Printable {
    private static final int TAB = 8;
    private static final char ELLIPSIS = '…';

    private Printable() {}

    /** Converts text of several lines: line ends and tabs stay, and a bare carriage return begins a line. */
    public static String text(String text) {
        StringBuilder shown = new StringBuilder(text.length());
        text.replace("\r\n", "\n").codePoints().forEach(point -> {
            if (point == '\n' || point == '\t') {
                shown.append((char) point);
            } else if (point == '\r') {
                shown.append('\n');
            } else {
                append(shown, point);
            }
        });
        return shown.toString();
    }

    /** Converts text into one line, cut to at most the given number of columns. */
    public static String line(String text, int columns) {
        StringBuilder shown = new StringBuilder();
        int width = 0;
        int fitting = 0;
        for (int point : oneLine(text).codePoints().toArray()) {
            width += width(point);
            if (width > columns) {
                return shown.substring(0, fitting) + ELLIPSIS;
            }
            shown.appendCodePoint(point);
            fitting = width < columns ? shown.length() : fitting;
        }
        return shown.toString();
    }

    /** Returns the end of a text in one line, at most the given number of columns of it. */
    public static String end(String text, int columns) {
        int[] points = oneLine(text).codePoints().toArray();
        int from = points.length;
        int width = 0;
        while (from > 0 && width + width(points[from - 1]) <= columns) {
            from--;
            width += width(points[from]);
        }
        return new String(points, from, points.length - from);
    }

    private static String oneLine(String text) {
        return text(text).replace('\n', ' ').replace("\t", " ".repeat(TAB / 2));
    }

    private static void append(StringBuilder shown, int point) {
        if (point < ' ') {
            shown.append('^').append((char) (point + '@'));
        } else if (point == 0x7F) {
            shown.append("^?");
        } else if (isSteering(point)) {
            shown.append(String.format("<%04X>", point));
        } else {
            shown.appendCodePoint(point);
        }
    }

    /**
     * Matches the upper control characters, marks of direction and lines, halves of surrogate pairs, and characters
     * that nobody sees but a model reads: tags, selectors of rare variants, invisible operators, annotations.
     */
    private static boolean isSteering(int point) {
        return (point >= 0x80 && point < 0xA0)
                || point == 0x061C
                || (point >= 0x200E && point <= 0x200F)
                || (point >= 0x2028 && point <= 0x202E)
                || (point >= 0x2060 && point <= 0x206F)
                || point == 0xFEFF
                || (point >= 0xFFF9 && point <= 0xFFFB)
                || (point >= 0xE0000 && point <= 0xE0FFF)
                || (point >= 0xD800 && point <= 0xDFFF);
    }

    /**
     * Returns how many columns a terminal gives a character, by the East Asian widths and the
     * combining marks.
     */
    public static int width(int point) {
        return switch (Character.getType(point)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
            default -> isWide(point) ? 2 : 1;
        };
    }

    private static boolean isWide(int point) {
        return (point >= 0x1100 && point <= 0x115F)
                || (point >= 0x231A && point <= 0x231B)
                || (point >= 0x23E9 && point <= 0x23F3)
                || (point >= 0x25FD && point <= 0x25FE)
                || (point >= 0x2614 && point <= 0x2615)
                || (point >= 0x2648 && point <= 0x27BF && Character.isEmoji(point))
                || (point >= 0x2E80 && point <= 0xA4CF && point != 0x303F)
                || (point >= 0xA960 && point <= 0xA97F)
                || (point >= 0xAC00 && point <= 0xD7A3)
                || (point >= 0xF900 && point <= 0xFAFF)
                || (point >= 0xFE10 && point <= 0xFE6F)
                || (point >= 0xFF00 && point <= 0xFF60)
                || (point >= 0xFFE0 && point <= 0xFFE6)
                || (point >= 0x16FE0 && point <= 0x1B2FF)
                || (point >= 0x1F004 && point <= 0x1FAFF && Character.isEmoji(point))
                || (point >= 0x20000 && point <= 0x3FFFD);
    }
}
