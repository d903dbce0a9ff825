package dev.paddock.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Breaks text into lines between its words. */
public final class Words {
    private static final int MIN_WIDTH = 20;

    private Words() {}

    /**
     * Breaks a text into lines. A word that is wider than a line stays whole.
     *
     * @param first the beginning of the first line
     * @param further the beginning of each further line
     * @param text the text, which may have styles
     * @param width the most columns of a line
     */
    public static List<String> wrap(String first, String further, String text, int width) {
        int room = Math.max(MIN_WIDTH, width) - first.length();
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : of(text)) {
            boolean isCounted = !word.isEmpty() && !line.isEmpty(); // of spaces there may be any number
            if (isCounted && Style.columns(line.toString().stripTrailing() + word) + 1 > room) {
                lines.add((lines.isEmpty() ? first : further) + line.toString().stripTrailing());
                line.setLength(0);
            }
            line.append(word).append(' ');
        }
        lines.add((lines.isEmpty() ? first : further) + line.toString().stripTrailing());
        return lines;
    }

    /** Splits a styled text at its spaces, except within a style, which must not span lines. */
    private static List<String> of(String styled) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean isStyled = false;
        for (int at = 0; at < styled.length(); at++) {
            char one = styled.charAt(at);
            if (one == '\u001b') {
                isStyled = !styled.startsWith("\u001b[m", at);
            }
            if (one == ' ' && !isStyled) {
                words.add(word.toString());
                word.setLength(0);
            } else {
                word.append(one);
            }
        }
        words.add(word.toString());
        return words;
    }
}
