package dev.paddock.executor.tck.conformance;

/**
 * The result of an {@linkplain Operation operation} that a policy requires.
 *
 * @since 0.1
 */
public enum Expectation {
    /** The operation succeeds, and any effect is visible on the host. */
    ALLOWED,
    /** The operation fails and changes nothing. */
    DENIED,
    /**
     * The operation fails, or the executor restores what it changed before it reports the command's
     * result, and reports the change.
     */
    KEPT
}
