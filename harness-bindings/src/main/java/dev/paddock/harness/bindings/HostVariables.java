package dev.paddock.harness.bindings;

import java.util.Map;

/** Reads the environment of the host's process. */
final class HostVariables {
    private HostVariables() {}

    static Map<String, String> all() {
        return System.getenv();
    }
}
