package dev.paddock.harness.files.workspace;

/** Validates limits. */
final class Limits {
    private Limits() {}

    static void requireNotNegative(String name, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(name + " is negative: " + value + ". Give 0 or more");
        }
    }
}
