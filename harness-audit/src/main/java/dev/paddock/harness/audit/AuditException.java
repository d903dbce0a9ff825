package dev.paddock.harness.audit;

import java.io.Serial;

/**
 * Reports that audit records could not be written or read.
 *
 * @since 0.1
 */
public final class AuditException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** Says what is wrong. Later releases may add kinds: a {@code switch} needs a {@code default}. */
    public enum Kind {
        /** The directory has no store, and creating one was not requested. */
        MISSING,
        /** Another process has locked the store for longer than the busy timeout. */
        LOCKED,
        /** The disk is full. */
        DISK_FULL,
        /** The file or its directory cannot be written to. */
        READ_ONLY,
        /** The file is not an audit store. */
        NOT_A_STORE,
        /** A newer version of Paddock wrote the store. */
        NEWER_SCHEMA,
        /** The store has records, but its key file is missing. */
        KEY_MISSING,
        /** The key file has no valid key, or other users may read it. */
        KEY_INVALID,
        /** The store was created with another key. */
        KEY_WRONG,
        /** The store's chain is broken: the store was changed, or its file is damaged. */
        TAMPERED,
        /** The store has been closed. */
        CLOSED,
        /** The file system or the database failed in another way. */
        UNAVAILABLE
    }

    private final Kind kind;

    /**
     * Creates an exception.
     *
     * @param kind what is wrong
     * @param message what happened, the value at fault, the remedy
     */
    public AuditException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /**
     * Creates an exception with a cause.
     *
     * @param kind what is wrong
     * @param message what happened, the value at fault, the remedy
     * @param cause the cause
     */
    public AuditException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** {@return what is wrong} */
    public Kind kind() {
        return kind;
    }
}
