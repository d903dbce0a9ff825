package dev.paddock.harness.tools.output;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Holds the captured output of a foreground or background command, however it ended, and renders it
 * for the model.
 *
 * @param tail the end of the output, as it was written
 * @param log where the rest is
 */
public record Captured(Tail tail, LogState log) {

    /** The text shown for an empty output. */
    public static final String NO_OUTPUT = "(no output)";

    /**
     * Returns the text for the model: the tail, as a screen shows it, a notice of omitted output, and
     * further notices, in this order.
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
        List<String> parts = new ArrayList<>();
        notice().ifPresent(parts::add);
        parts.addAll(more);
        String written = raw ? tail.text() : ScreenText.of(tail.text());
        String body = written.isEmpty() && !tail.truncated() ? empty : written;
        if (parts.isEmpty()) {
            return body;
        }
        String gap = body.isEmpty() ? "" : body.endsWith("\n") ? "\n" : "\n\n";
        return body + gap + String.join("\n", parts);
    }

    /**
     * Describes a tail that is not the whole output: which lines it shows, of how many, how much is
     * omitted, and where that is.
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
     */
    public void describe(ObjectNode details) {
        details.put("totalBytes", tail.totalBytes());
        details.put("totalLines", tail.totalLines());
        details.put("truncated", tail.truncated());
        if (!log.files().isEmpty()) {
            details.put("log", log.files().getLast().toString()).put("logBytes", log.bytes());
        }
    }
}
