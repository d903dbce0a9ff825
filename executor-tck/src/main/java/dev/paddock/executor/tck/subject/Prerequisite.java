package dev.paddock.executor.tck.subject;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * What a test needs of its machine and not every machine has. A developer's machine skips the test; continuous integration, which
 * is recognized by the variable {@code CI}, can have it and fails.
 */
public final class Prerequisite {
    private Prerequisite() {}

    /**
     * Skips the calling test if something is missing, and fails it in continuous integration.
     *
     * @param present whether the machine has it
     * @param reason what is missing, as a sentence
     */
    public static void require(boolean present, String reason) {
        if (!present && HostEnvironment.variables().containsKey("CI")) {
            throw new AssertionError(reason + "; with CI set, a test must not be skipped for this");
        }
        assumeTrue(present, reason);
    }
}
