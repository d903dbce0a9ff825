package dev.paddock.harness.audit.store;

import dev.paddock.harness.audit.store.Verification.Break;
import dev.paddock.harness.audit.store.Verification.Reason;
import java.util.Optional;

/** Checks records in order, starting at a verified position. */
final class ChainWalk {
    private static final String TIME = "{\"time\":\"";
    private static final int TIME_LENGTH = "2026-01-01T00:00:00.000000Z".length();

    private final Chain chain;
    private final Optional<AuditHead> known;
    private AuditHead position;
    private AuditHead beforeLast;
    private String lastTime = "";
    private long clockSteps;

    ChainWalk(Chain chain, AuditHead from, Optional<AuditHead> known) {
        this.chain = chain;
        this.position = from;
        this.beforeLast = from;
        this.known = known;
    }

    /** Returns the last intact record. */
    AuditHead position() {
        return position;
    }

    /** Returns the record before it. */
    AuditHead beforeLast() {
        return beforeLast;
    }

    long clockSteps() {
        return clockSteps;
    }

    /** Checks the next record. */
    Optional<Break> step(AuditEntry entry) {
        long expected = position.seq() + 1;
        if (entry.seq() != expected) {
            return broken(expected, Reason.MISSING, "is missing: the next one is " + entry.seq());
        }
        AuditHead next = chain.hashed(entry.seq(), entry.previous(), entry.line());
        if (!chain.isSigned(Chain.Purpose.RECORD, next, entry.mac())) {
            return broken(expected, Reason.EDITED, "was edited, or put in another's place");
        }
        if (!entry.previous().equals(position.hash())) {
            return broken(expected, Reason.WRONG_PREDECESSOR, "follows another record than " + position.seq());
        }
        if (known.isPresent() && known.get().seq() == next.seq() && !known.get().equals(next)) {
            return broken(expected, Reason.REPLACED, "does not match the head that was kept");
        }
        beforeLast = position;
        position = next;
        countClockSteps(entry.line());
        return Optional.empty();
    }

    /** Checks, after the last record, that the chain ends with the head. */
    Optional<Break> end(AuditHead head) {
        if (head.seq() > position.seq()) {
            return broken(position.seq() + 1, Reason.CUT, "is missing: the store ends before its head, " + head.seq());
        }
        if (!head.equals(position)) {
            return broken(position.seq(), Reason.AFTER_HEAD, "is after the store's head, " + head.seq());
        }
        return known.filter(kept -> kept.seq() > position.seq())
                .flatMap(kept ->
                        broken(position.seq() + 1, Reason.CUT, "is missing: the head that was kept is " + kept.seq()));
    }

    private void countClockSteps(String line) {
        int end = TIME.length() + TIME_LENGTH;
        if (line.startsWith(TIME) && line.length() > end) {
            String time = line.substring(TIME.length(), end);
            if (time.compareTo(lastTime) < 0) {
                clockSteps++;
            }
            lastTime = time;
        }
    }

    static Optional<Break> broken(long seq, Reason reason, String problem) {
        return Optional.of(new Break(seq, reason, "Record " + seq + " " + problem + "."));
    }
}
