package dev.paddock.executor.tck.conformance;

/** What a policy says of an {@linkplain Operation operation}. */
public enum Expectation {
    /** It succeeds, and the host sees its effect where there is one to see. */
    ALLOWED,
    /** It fails, and changes nothing. */
    DENIED,
    /** It fails, or what it changed has been put right by the time the command's result is told, and is reported. */
    KEPT
}
