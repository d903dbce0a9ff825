package dev.paddock.executor.docker;

/**
 * Whether a missing image is pulled.
 *
 * @since 0.1
 */
public enum PullPolicy {
    /** Pulls a missing image from its registry. */
    IF_NOT_PRESENT,
    /** Never pulls or contacts a registry: without the image there is no sandbox. */
    NEVER
}
