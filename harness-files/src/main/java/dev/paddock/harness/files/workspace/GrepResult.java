package dev.paddock.harness.files.workspace;

import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The lines that a search found, and counts of skipped items. Files whose content a rule denies are skipped and not
 * counted.
 *
 * @since 0.1
 */
public final class GrepResult {

    private final List<Line> lines;
    private final boolean more;
    private final boolean late;
    private final int searched;
    private final int binary;
    private final int large;
    private final int unreadable;
    private final long cutLines;

    GrepResult(
            List<Line> lines,
            boolean more,
            boolean late,
            int searched,
            int binary,
            int large,
            int unreadable,
            long cutLines) {
        lines = List.copyOf(lines);
        this.lines = lines;
        this.more = more;
        this.late = late;
        this.searched = searched;
        this.binary = binary;
        this.large = large;
        this.unreadable = unreadable;
        this.cutLines = cutLines;
    }

    /** {@return the matching lines, without those around them} */
    public List<Line> matches() {
        return lines.stream().filter(Line::matches).toList();
    }

    /** {@return the matching lines and those around them, by path and number, each once} */
    public List<Line> lines() {
        return lines;
    }

    /** {@return whether there are further matches} */
    public boolean hasMore() {
        return more;
    }

    /** {@return whether the search ended because it took {@link GrepQuery#MAX_TIME}} */
    public boolean isLate() {
        return late;
    }

    /** {@return how many files were searched} */
    public int searched() {
        return searched;
    }

    /** {@return how many files were skipped as binary} */
    public int binary() {
        return binary;
    }

    /**
     * {@return how many files were skipped because they are larger than 10 MiB; a file that the query names is searched
     * whatever its size}
     */
    public int large() {
        return large;
    }

    /** {@return how many entries could not be read} */
    public int unreadable() {
        return unreadable;
    }

    /** {@return of how many lines only the first MiB was searched} */
    public long cutLines() {
        return cutLines;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof GrepResult that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "GrepResult" + parts();
    }

    private List<Object> parts() {
        return List.of(lines, more, late, searched, binary, large, unreadable, cutLines);
    }

    /**
     * A line of a file.
     *
     * @param path the file: relative to the first root if it is in it, absolute elsewhere
     * @param number the line's number, from 1
     * @param column the column of its first match, from 1; empty if the line does not match
     * @param text its text; a longer line than permitted is cut around the match, with … in place of the rest
     */
    public record Line(String path, long number, OptionalInt column, String text) {

        /** {@return whether the line matches; false for a context line} */
        public boolean matches() {
            return column.isPresent();
        }
    }
}
