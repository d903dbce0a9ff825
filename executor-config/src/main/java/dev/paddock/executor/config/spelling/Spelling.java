package dev.paddock.executor.config.spelling;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Guesses which of the expected words a misspelled word was meant to be. */
public final class Spelling {
    private Spelling() {}

    /**
     * Returns the most similar expected word.
     *
     * @param word the misspelled word
     * @param expected the words that would have been right
     * @return one of them; empty if none has at most one mistake in three letters
     */
    public static Optional<String> nearest(String word, List<String> expected) {
        return expected.stream()
                .filter(candidate -> distance(word, candidate) <= (candidate.length() + 1) / 3)
                .min(Comparator.comparingInt(candidate -> distance(word, candidate)));
    }

    /**
     * Returns how many letters must be changed, added, left out or swapped with their neighbor to turn one word into
     * the other.
     */
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
