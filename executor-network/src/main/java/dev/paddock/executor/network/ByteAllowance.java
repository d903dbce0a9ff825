package dev.paddock.executor.network;

import dev.paddock.executor.policy.HostRule;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the bytes of all connections to the hosts of a rule. Thread-safe. */
final class ByteAllowance {
    private final HostRule rule;
    private final AtomicLong left;

    ByteAllowance(HostRule rule) {
        this.rule = rule;
        left = new AtomicLong(rule.mostBytes().orElse(Long.MAX_VALUE));
    }

    /** Reports that a connection has ended because its rule allows no more bytes. */
    static final class UsedUpException extends IOException {
        private static final long serialVersionUID = 1L;

        private UsedUpException(HostRule rule) {
            super("the bytes that its rule '" + rule + "' allows are used up");
        }
    }

    /** Deducts bytes before they are relayed; after a refusal, no connection may relay more. */
    void take(int count) throws UsedUpException {
        if (rule.mostBytes().isPresent() && left.addAndGet(-count) < 0) {
            left.set(0);
            throw new UsedUpException(rule);
        }
    }

    long left() {
        return left.get();
    }
}
