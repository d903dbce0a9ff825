package dev.paddock.executor;

import java.util.List;
import java.util.OptionalInt;

/**
 * What an executor did after a command's main process had ended.
 *
 * @param leftoversEnded how many processes the command had left running and the executor has ended (C8); empty where the
 *     sandbox ended with its main process and took an unknown number with it
 * @param notices whole sentences for whoever reads the command's result: files moved to quarantine, protected files
 *     restored, processes that could not be ended
 */
public record CleanupReport(OptionalInt leftoversEnded, List<String> notices) {

    /** Nothing was left, nothing is to be told. */
    public static final CleanupReport NONE = new CleanupReport(OptionalInt.of(0), List.of());

    /**
     * Makes an aftermath.
     *
     * @throws IllegalArgumentException if the number is negative
     */
    public CleanupReport {
        if (leftoversEnded.isPresent() && leftoversEnded.getAsInt() < 0) {
            throw new IllegalArgumentException("leftoversEnded is negative: " + leftoversEnded.getAsInt());
        }
        notices = List.copyOf(notices);
    }

    /**
     * So many leftovers were ended, and there is nothing else to tell.
     *
     * @param ended the number, 0 or more
     * @return the aftermath
     */
    public static CleanupReport ofLeftovers(int ended) {
        return ended == 0 ? NONE : new CleanupReport(OptionalInt.of(ended), List.of());
    }
}
