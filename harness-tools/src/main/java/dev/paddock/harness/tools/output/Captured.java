package dev.paddock.harness.tools.output;

import dev.paddock.harness.tools.text.Excerpt;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The captured output of a command, however it ended; renders it for the model.
 *
 * @param tail the end of the output, as it was written
 * @param log where the rest is
 * @param beginning the beginning of the output, if the tail is not all of it
 */
public record Captured(Tail tail, LogState log, Beginning beginning) {

    /**
     * The beginning of an output.
     *
     * @param text the text; empty if none is kept
     * @param meetsTail whether nothing is missing between it and the tail
     */
    public record Beginning(String text, boolean meetsTail) {
        static final Beginning NONE = new Beginning("", false);

        /** Decodes the bytes that precede a tail, as far as they are kept. */
        static Beginning of(byte[] bytes, int length, Tail tail) {
            int before = (int) Math.min(length, tail.leftOutBytes());
            return before == 0
                    ? NONE
                    : new Beginning(
                            new String(bytes, 0, before, StandardCharsets.UTF_8), before == tail.leftOutBytes());
        }
    }

    /** The most characters that a result shows of an output. */
    public static final int MAX_OUTPUT = Tail.MAX_BYTES;

    /** The text shown for an empty output. */
    public static final String NO_OUTPUT = "(no output)";

    /**
     * Returns the text for the model: the tail, as a screen shows it, a notice of omitted output, and further notices,
     * in this order.
     *
     * @param empty the text shown for an empty output
     * @param more further notices, one a line
     * @return the text
     */
    public String text(String empty, List<String> more) {
        return text(empty, more, false);
    }

    /**
     * Returns the text for the model, as {@link #text(String, List)} does.
     *
     * @param empty the text shown for an empty output
     * @param more further notices, one a line
     * @param raw whether the tail has the colors and overwritten lines that were written
     * @return the text
     */
    public String text(String empty, List<String> more, boolean raw) {
        return text(empty, more, raw, MAX_OUTPUT);
    }

    /**
     * Returns the text for the model, as {@link #text(String, List)} does.
     *
     * @param empty the text shown for an empty output
     * @param more further notices, one a line
     * @param raw whether the text has the colors and overwritten lines that were written
     * @param most how many characters of the output are shown; of a longer one the beginning and the end,
     *     with a notice in between
     * @return the text
     */
    public String text(String empty, List<String> more, boolean raw, int most) {
        List<String> parts = new ArrayList<>();
        String written = shown(end(), raw);
        String body = written.isEmpty() && !tail.truncated() ? empty : written;
        if (isCut(raw, most)) {
            body = new Ends(isWhole() ? written : shown(beginning.text(), raw), written).text(most);
        } else if (!isWhole()) {
            notice().ifPresent(parts::add);
        }
        parts.addAll(more);
        if (parts.isEmpty()) {
            return body;
        }
        String gap = body.isEmpty() ? "" : body.endsWith("\n") ? "\n" : "\n\n";
        return body + gap + String.join("\n", parts);
    }

    private static String shown(String text, boolean raw) {
        return raw ? text : ScreenText.of(text);
    }

    /** Returns whether all of the output is known. */
    private boolean isWhole() {
        return !tail.truncated() || beginning.meetsTail();
    }

    /** Returns the end of the output, or all of it if it is known. */
    private String end() {
        return beginning.meetsTail() ? beginning.text() + tail.text() : tail.text();
    }

    /** Returns whether the output is shown by its beginning and its end. */
    private boolean isCut(boolean raw, int most) {
        return isWhole() ? shown(end(), raw).length() > most : !beginning.text().isEmpty();
    }

    /** An output by its beginning and its end, both of which may be all of it. */
    private final class Ends {
        private final String first;
        private final String last;

        Ends(String first, String last) {
            this.first = first;
            this.last = last;
        }

        String text(int most) {
            int half = most / 2;
            String before = first.length() <= half ? first : first.substring(0, endOfLine(half));
            int rest = most - half;
            String after = last.length() <= rest ? last : last.substring(startOfLine(last.length() - rest));
            String gap = before.isEmpty() || before.endsWith("\n") ? "" : "\n";
            return before + gap + "[The middle is left out, of " + tail.totalLines() + " lines and " + tail.totalBytes()
                    + " bytes in all. " + log.whereabouts() + "]\n" + after;
        }

        /** Returns where the last whole line ends; cuts a line that is longer than half of the text. */
        private int endOfLine(int most) {
            int line = most == 0 ? 0 : first.lastIndexOf('\n', most - 1) + 1;
            return line > most / 2 || most == 0 ? line : Excerpt.end(first, most);
        }

        private int startOfLine(int least) {
            int line = least == 0 ? 0 : last.indexOf('\n', least - 1) + 1;
            boolean near = line > 0 && line <= least + (last.length() - least) / 2;
            return near ? line : least + (Character.isLowSurrogate(last.charAt(least)) ? 1 : 0);
        }
    }

    /**
     * Describes a tail that is not the whole output: which lines it shows, of how many, how much is omitted, and where
     * the rest is.
     *
     * @return the notice; empty if nothing is omitted
     */
    Optional<String> notice() {
        if (!tail.truncated()) {
            return Optional.empty();
        }
        String shown = "lines " + tail.firstLine() + "-" + tail.totalLines();
        if (tail.leftOutBytes() == tail.totalBytes()) {
            shown = "none";
        } else if (tail.firstLine() == tail.totalLines()) {
            shown = "line " + tail.totalLines();
        }
        String cut = tail.cutsLine()
                ? "; the beginning of line " + tail.firstLine() + " is left out, " + Tail.MAX_BYTES
                        + " bytes are shown at most"
                : "";
        return Optional.of("[Showing " + shown + " of " + tail.totalLines() + " (" + tail.totalBytes()
                + " bytes in all, " + tail.leftOutBytes() + " of them left out" + cut + "). " + log.whereabouts()
                + "]");
    }

    /**
     * Adds the same information in machine-readable form.
     *
     * @param details receives the totals and the log
     * @param raw whether the text has the colors and overwritten lines that were written
     * @param most how many characters of the output are shown
     */
    public void describe(Map<String, Object> details, boolean raw, int most) {
        details.put("totalBytes", tail.totalBytes());
        details.put("totalLines", tail.totalLines());
        details.put("truncated", !isWhole() || isCut(raw, most));
        if (!log.files().isEmpty()) {
            details.put("log", log.files().getLast().toString());
            details.put("logBytes", log.bytes());
        }
    }
}
