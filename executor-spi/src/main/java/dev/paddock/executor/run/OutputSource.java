package dev.paddock.executor.run;

/**
 * The stream that a command wrote to.
 *
 * @since 0.1
 */
public enum OutputSource {
    /** Standard output; with merged streams standard error too. */
    OUT,
    /** Standard error. */
    ERR
}
