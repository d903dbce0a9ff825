package dev.paddock.executor.policy;

/**
 * Whether a backend that cannot enforce a part of a policy refuses the policy.
 *
 * @since 0.1
 */
public enum Enforcement {
    /** A backend that cannot enforce the part refuses the policy. */
    REQUIRED,
    /** A backend enforces the part as far as it can, and its guarantees say how far that is. */
    BEST_EFFORT
}
