package dev.paddock.harness.audit.store;

import java.util.Optional;

/**
 * The result of {@link AuditStore#verify}.
 *
 * @param records how many records are intact, up to the first bad one
 * @param anchor the start of the chain, or the last pruned record
 * @param head the last intact record
 * @param firstBreak the first bad record; empty if the chain is whole
 * @param clockSteps how often a record's time is before that of its predecessor: the clock was set back, or processes
 *     wrote records in another order than they created them. Not a break
 * @since 0.1
 */
public record Verification(
        long records, AuditHead anchor, AuditHead head, Optional<Break> firstBreak, long clockSteps) {

    /** {@return whether no record is bad} */
    public boolean isWhole() {
        return firstBreak.isEmpty();
    }

    /** How a chain is broken. Later releases may add reasons. */
    public enum Reason {
        /** The record's MAC does not fit its number, its predecessor and its line. */
        EDITED,
        /** The record was written with the key, but in another chain. */
        WRONG_PREDECESSOR,
        /** A record is missing before a later one. */
        MISSING,
        /** Records are missing at the end. */
        CUT,
        /** There are records after the head. */
        AFTER_HEAD,
        /** The head is missing, or was written without the key. */
        HEAD_EDITED,
        /** The mark of the pruned records is missing, or was written without the key. */
        ANCHOR_EDITED,
        /** The record does not match the head that was kept elsewhere. */
        REPLACED
    }

    /**
     * The first bad record.
     *
     * @param seq its number
     * @param reason what is wrong
     * @param message the reason as a sentence
     */
    public record Break(long seq, Reason reason, String message) {}
}
