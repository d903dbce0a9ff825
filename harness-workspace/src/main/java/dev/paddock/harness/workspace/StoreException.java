package dev.paddock.harness.workspace;

import java.io.IOException;
import java.io.Serial;

/**
 * Reports that a store of snapshots could not complete a call.
 *
 * @since 0.1
 */
public final class StoreException extends IOException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** The kind of fault. */
    public enum Reason {
        /** A file of the store is missing, cut or altered. */
        CORRUPT,
        /** The snapshot would exceed the store's {@code maxBytes}. */
        QUOTA,
        /** There is no such snapshot. */
        ABSENT,
        /** A file of the store cannot be written, for example because the disk is full. */
        UNWRITABLE,
        /** Another process or thread kept the store locked beyond the wait time. */
        BUSY
    }

    /**
     * Creates an exception.
     *
     * @param reason the kind of fault
     * @param message what happened, and the remedy
     */
    public StoreException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** {@return the kind of fault} */
    public Reason reason() {
        return reason;
    }
}
