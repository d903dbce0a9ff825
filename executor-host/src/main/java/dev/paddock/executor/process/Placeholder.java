package dev.paddock.executor.process;

/** Holds the package open for export until its first type stands here. */
final class Placeholder {

    private Placeholder() {}
}
