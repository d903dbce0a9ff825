package dev.paddock.harness.langchain4j;

import java.util.Optional;

/**
 * Reads environment variables by name, each when it is needed; the only class in this module that
 * reads the environment.
 */
final class Environment {
    private Environment() {}

    static Optional<String> variable(String name) {
        return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank());
    }
}
