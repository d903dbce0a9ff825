package dev.paddock.harness.langchain4j;

import java.util.Optional;

/** The environment, which this class of the module alone reads: each variable when it is asked for, by its name. */
final class Environment {
    private Environment() {}

    static Optional<String> variable(String name) {
        return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank());
    }
}
