package dev.paddock.harness.tools.output;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An output as captured, and its rendering for the model: of commands in the foreground and in the background, however they
 * ended.
 *
 * @param tail its end
 * @param log where the rest is
 */
public record Captured(Tail tail, LogState log) {

    /** What stands for an empty output. */
    public static final String NO_OUTPUT = "(no output)";

    /**
     * The text: the tail, what was left out of it, and what else is to be told, in this order.
     *
     * @param empty what stands for an empty output
     * @param more sentences that follow, one a line
     * @return the text
     */
    public String text(String empty, List<String> more) {
        List<String> parts = new ArrayList<>();
        notice().ifPresent(parts::add);
        parts.addAll(more);
        String body = tail.totalBytes() == 0 ? empty : tail.text();
        if (parts.isEmpty()) {
            return body;
        }
        String gap = body.isEmpty() ? "" : body.endsWith("\n") ? "\n" : "\n\n";
        return body + gap + String.join("\n", parts);
    }

    /**
     * What the reader has to know of a tail that is not the whole: which lines it shows, of how many, how much is left out, and
     * where that is.
     *
     * @return the notice; empty if nothing was left out
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
     * The same for programs.
     *
     * @param details where to put the totals and the log
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
