package dev.paddock.harness.output;

import java.util.Locale;
import java.util.Optional;

/**
 * An output as captured, and its rendering for the model.
 *
 * @param tail its end
 * @param log the file that has it all; empty if the tail is the whole, or no file could be made
 * @param logFailure why no file could be made
 * @param capBytes how much a file holds at most
 */
public record Captured(Tail tail, Optional<LogState> log, Optional<String> logFailure, long capBytes) {

    /** What stands for an empty output. */
    public static final String NO_OUTPUT = "(no output)";

    /**
     * The text: the tail, or {@value #NO_OUTPUT}.
     *
     * @return the text, without notices
     */
    public String body() {
        return tail.totalBytes() == 0 ? NO_OUTPUT : tail.text();
    }

    /**
     * What the reader has to know of a tail that is not the whole: which lines it shows, of how many, and where the rest is.
     *
     * @return the notice; empty if nothing was left out
     */
    public Optional<String> notice() {
        if (!tail.truncated()) {
            return Optional.empty();
        }
        String shown = tail.firstLine() == tail.totalLines()
                ? "line " + number(tail.totalLines())
                : "lines " + number(tail.firstLine()) + "-" + number(tail.totalLines());
        String cut = tail.cutsLine()
                ? "; the beginning of line " + number(tail.firstLine()) + " is left out, " + number(Tail.MAX_BYTES)
                        + " bytes are shown at most"
                : "";
        return Optional.of("[Showing " + shown + " of " + number(tail.totalLines()) + " (" + number(tail.totalBytes())
                + " bytes in all" + cut + "). " + whereTheRestIs() + "]");
    }

    private String whereTheRestIs() {
        if (log.isEmpty()) {
            return "The rest is lost: no log could be written: " + logFailure.orElse("unknown reason");
        }
        LogState state = log.get();
        if (state.failure().isPresent()) {
            return "The first " + number(state.bytes()) + " bytes are in " + state.file()
                    + "; the log could not be written further: "
                    + state.failure().get();
        }
        if (state.bytes() < tail.totalBytes()) {
            return "The first " + number(state.bytes()) + " bytes are in " + state.file()
                    + "; a log holds no more than that";
        }
        return "Full output: " + state.file();
    }

    private static String number(long value) {
        return String.format(Locale.ROOT, "%d", value);
    }
}
