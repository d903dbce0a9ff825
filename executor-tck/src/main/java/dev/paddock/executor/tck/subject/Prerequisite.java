package dev.paddock.executor.tck.subject;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Checks a property of the machine that a test needs and not every machine has. On a
 * developer's machine the test is skipped; in continuous integration, which is recognized by the
 * variable {@code CI} and can provide the property, the test fails.
 *
 * @since 0.1
 */
public final class Prerequisite {
    private Prerequisite() {}

    /**
     * Skips the calling test if something is missing, or fails it in continuous integration.
     *
     * @param present whether the machine has it
     * @param reason what is missing, as a sentence
     */
    public static void require(boolean present, String reason) {
        if (!present && SuiteEnvironment.variables().containsKey("CI")) {
            throw new AssertionError(reason + "; with CI set, a test must not be skipped for this");
        }
        assumeTrue(present, reason);
    }
}
