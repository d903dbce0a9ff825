package dev.paddock.executor;

import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The cleanup that an executor did after a command's main process had exited.
 *
 * @since 0.1
 */
public final class CleanupReport {

    /** The report without leftovers and without notices. */
    public static final CleanupReport NONE = new CleanupReport(OptionalInt.of(0), List.of());

    private final OptionalInt leftoversEnded;
    private final List<String> notices;

    private CleanupReport(OptionalInt leftoversEnded, List<String> notices) {
        if (leftoversEnded.isPresent() && leftoversEnded.getAsInt() < 0) {
            throw new IllegalArgumentException("leftoversEnded is negative: " + leftoversEnded.getAsInt());
        }
        this.leftoversEnded = leftoversEnded;
        this.notices = List.copyOf(notices);
    }

    /**
     * Returns a report.
     *
     * @param leftoversEnded the number of ended leftovers, 0 or more; empty if it is not known
     * @param notices whole sentences for the reader of the command's result
     * @return the report
     * @throws IllegalArgumentException if the number is negative
     */
    public static CleanupReport of(OptionalInt leftoversEnded, List<String> notices) {
        return new CleanupReport(leftoversEnded, notices);
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

    /**
     * {@return the number of processes that the command had left running and the executor has ended (C8);
     * empty where the sandbox ended with its main process and killed an unknown number}
     */
    public OptionalInt leftoversEnded() {
        return leftoversEnded;
    }

    /**
     * {@return whole sentences for the reader of the command's result: files moved to quarantine,
     * protected files restored, processes that could not be ended, steps of the cleanup that failed}
     */
    public List<String> notices() {
        return notices;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CleanupReport that && parts().equals(that.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "CleanupReport" + parts();
    }

    private List<Object> parts() {
        return List.of(leftoversEnded, notices);
    }
}
