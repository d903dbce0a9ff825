package dev.paddock.harness;

/**
 * Says who disposes of an executor that a session or a toolbox receives.
 *
 * @since 0.1
 */
public enum Ownership {
    /** The session: it disposes of the executor when it closes. */
    OWNED,
    /**
     * The lender: the executor serves other sessions too, and outlives this one. On close, the session ends only the
     * commands that it has started.
     */
    BORROWED
}
