package dev.paddock.executor.docker;

/** Whether an image that the engine does not have is fetched. */
public enum PullPolicy {
    /** It is fetched from its registry. */
    IF_NOT_PRESENT,
    /** It is not: without it there is no sandbox, and no registry is asked. */
    NEVER
}
