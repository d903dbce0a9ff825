package dev.paddock.executor.docker;

import dev.paddock.executor.caller.CallerEnvironment;
import java.util.Map;

/** Reads the environment of the caller. */
public final class HostEnvironment {
    private HostEnvironment() {}

    public static Map<String, String> variables() {
        return CallerEnvironment.variables();
    }
}
