package dev.paddock.cli.command;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Guesses what was meant by a word that is none of those expected. */
public final class Spelling {
    private Spelling() {}

    /** The word that is most like another, if any is like it: one mistake in three letters at most. */
    public static Optional<String> nearest(String word, List<String> expected) {
        return expected.stream()
                .filter(candidate -> distance(word, candidate) <= (candidate.length() + 1) / 3)
                .min(Comparator.comparingInt(candidate -> distance(word, candidate)));
    }

    /** How many letters must be changed, added, left out or swapped with their neighbour to make one word of the other. */
    private static int distance(String from, String to) {
        int[][] table = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                table[i][j] = Math.min(i, j) == 0 ? i + j : fewest(table, from, to, i, j);
            }
        }
        return table[from.length()][to.length()];
    }

    private static int fewest(int[][] table, String from, String to, int i, int j) {
        int changed = table[i - 1][j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        int addedOrLeftOut = 1 + Math.min(table[i - 1][j], table[i][j - 1]);
        boolean isSwap =
                i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
        int swapped = isSwap ? 1 + table[i - 2][j - 2] : changed;
        return Math.min(Math.min(changed, swapped), addedOrLeftOut);
    }
}
