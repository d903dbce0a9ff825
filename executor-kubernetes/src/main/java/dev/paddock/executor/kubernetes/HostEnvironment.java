package dev.paddock.executor.kubernetes;

import java.util.Map;

/** Reads the environment of this JVM. */
public final class HostEnvironment {
    private HostEnvironment() {}

    public static Map<String, String> variables() {
        return System.getenv();
    }
}
