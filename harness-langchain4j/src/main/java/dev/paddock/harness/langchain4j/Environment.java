package dev.paddock.harness.langchain4j;

import dev.paddock.executor.caller.CallerEnvironment;
import java.util.Optional;

/**
 * Reads the caller's environment variables by name, each when it is needed.
 */
final class Environment {
    private Environment() {}

    static Optional<String> variable(String name) {
        return Optional.ofNullable(CallerEnvironment.variables().get(name)).filter(value -> !value.isBlank());
    }
}
