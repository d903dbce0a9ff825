package dev.paddock.executor.tck.subject;

import java.util.Map;

/**
 * Reads the environment of this JVM.
 *
 * @since 0.1
 */
public final class SuiteEnvironment {
    private SuiteEnvironment() {}

    public static Map<String, String> variables() {
        return System.getenv();
    }
}
