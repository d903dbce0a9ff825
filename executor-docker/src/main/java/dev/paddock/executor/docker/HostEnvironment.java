package dev.paddock.executor.docker;

import java.util.Map;

/** The environment of this JVM. */
final class HostEnvironment {
    private HostEnvironment() {}

    static Map<String, String> variables() {
        return System.getenv();
    }
}
