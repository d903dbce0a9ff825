package dev.paddock.harness.files.workspace;

import java.util.List;
import java.util.OptionalInt;

/**
 * The lines that a search found, and counts of what was left out. Files whose content a rule denies
 * are left out and not counted.
 *
 * @param lines the matching lines and those around them, by path and number, each once
 * @param more whether there are further matches
 * @param late whether the search ended because it took {@link GrepQuery#MAX_TIME}
 * @param searched how many files were searched
 * @param binary how many files were left out as binary
 * @param large how many files were left out because they are larger than 10 MiB; a file that the
 *     query names is searched whatever its size
 * @param unreadable how many entries could not be read
 * @param cutLines how many lines were searched in their first MiB alone
 * @since 0.1
 */
public record GrepResult(
        List<Line> lines,
        boolean more,
        boolean late,
        int searched,
        int binary,
        int large,
        int unreadable,
        long cutLines) {

    /** Creates a result. */
    public GrepResult {
        lines = List.copyOf(lines);
    }

    /**
     * Returns the lines that match, without those around them.
     *
     * @return the matching lines
     */
    public List<Line> matches() {
        return lines.stream().filter(Line::matches).toList();
    }

    /**
     * A line of a file.
     *
     * @param path the file: relative to the first root if it is in it, absolute elsewhere
     * @param number the line's number, from 1
     * @param column the column of its first match, from 1; empty if the line does not match
     * @param text its text; a longer line than permitted is cut around the match, with … in place of
     *     what was cut off
     */
    public record Line(String path, long number, OptionalInt column, String text) {

        /**
         * Returns whether the line matches.
         *
         * @return false for a line that stands before or after a match
         */
        public boolean matches() {
            return column.isPresent();
        }
    }
}
