package dev.paddock.executor.run;

/** The stream that a command wrote to. */
public enum OutputSource {
    /** Standard output; with merged streams standard error too. */
    OUT,
    /** Standard error. */
    ERR
}
