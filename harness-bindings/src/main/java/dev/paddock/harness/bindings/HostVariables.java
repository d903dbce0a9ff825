package dev.paddock.harness.bindings;

import dev.paddock.executor.caller.CallerEnvironment;
import java.util.Map;

/** Reads the caller's environment on the host. */
final class HostVariables {
    private HostVariables() {}

    static Map<String, String> all() {
        return CallerEnvironment.variables();
    }
}
