package dev.paddock.executor.docker;

/**
 * Whether an image that the engine does not have is pulled.
 *
 * @since 0.1
 */
public enum PullPolicy {
    /** Pulls a missing image from its registry. */
    IF_NOT_PRESENT,
    /** Never pulls: without the image there is no sandbox, and no registry is contacted. */
    NEVER
}
