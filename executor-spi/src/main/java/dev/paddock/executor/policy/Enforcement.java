package dev.paddock.executor.policy;

/** How much a policy insists on one of its parts. */
public enum Enforcement {
    /** A backend that cannot enforce the part refuses the policy. */
    REQUIRED,
    /** A backend enforces the part as far as it can, and says in its guarantees how far that is. */
    BEST_EFFORT
}
