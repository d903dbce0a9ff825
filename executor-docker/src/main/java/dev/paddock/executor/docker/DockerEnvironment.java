package dev.paddock.executor.docker;

import dev.paddock.executor.caller.CallerEnvironment;
import java.util.Map;

/**
 * Reads the environment of the caller.
 *
 * @since 0.1
 */
public final class DockerEnvironment {
    private DockerEnvironment() {}

    public static Map<String, String> variables() {
        return CallerEnvironment.variables();
    }
}
