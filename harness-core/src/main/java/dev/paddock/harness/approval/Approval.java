package dev.paddock.harness.approval;

import java.util.Objects;

/**
 * An approver's answer. Created by {@link #allow}, {@link #allowForSession} and {@link #deny}.
 *
 * @since 0.1
 */
public sealed interface Approval {

    /**
     * Allows the call.
     *
     * @param forSession whether later calls with the same {@link ApprovalRequest#sessionKey()} are allowed without a
     *     question
     */
    record Allowed(boolean forSession) implements Approval {}

    /**
     * Denies the call.
     *
     * @param reason the reason, which the model reads; may be empty
     */
    record Denied(String reason) implements Approval {
        /**
         * Creates the answer.
         *
         * @throws NullPointerException if the reason is null
         */
        public Denied {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /** {@return an answer that allows this call alone} */
    static Approval allow() {
        return new Allowed(false);
    }

    /**
     * {@return an answer that allows this call and, until the session closes, every call with the same
     * {@link ApprovalRequest#sessionKey()}} It is not stored: a resumed session asks again.
     */
    static Approval allowForSession() {
        return new Allowed(true);
    }

    /**
     * Returns an answer that denies the call.
     *
     * @param reason the reason, which the model reads: a phrase without a final full stop; may be empty
     */
    static Approval deny(String reason) {
        return new Denied(reason);
    }
}
