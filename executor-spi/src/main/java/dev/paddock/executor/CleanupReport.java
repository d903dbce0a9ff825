package dev.paddock.executor;

import java.util.List;
import java.util.OptionalInt;

/**
 * The cleanup that an executor did after a command's main process had exited.
 *
 * @param leftoversEnded the number of processes that the command had left running and the executor
 *     has ended (C8); empty where the sandbox ended with its main process and killed an unknown
 *     number
 * @param notices whole sentences for the reader of the command's result: files moved to quarantine,
 *     protected files restored, processes that could not be ended, steps of the cleanup that failed
 * @since 0.1
 */
public record CleanupReport(OptionalInt leftoversEnded, List<String> notices) {

    /** The report without leftovers and without notices. */
    public static final CleanupReport NONE = new CleanupReport(OptionalInt.of(0), List.of());

    /**
     * Creates a report.
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
     * Returns a report with a number of ended leftovers and without notices.
     *
     * @param ended the number, 0 or more
     * @return the report
     */
    public static CleanupReport ofLeftovers(int ended) {
        return ended == 0 ? NONE : new CleanupReport(OptionalInt.of(ended), List.of());
    }
}
