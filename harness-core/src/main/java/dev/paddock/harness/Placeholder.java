package dev.paddock.harness;

/** Holds the package open for export until its first type stands here. */
final class Placeholder {

    private Placeholder() {}
}
