package dev.paddock.cli;

import dev.paddock.executor.process.launch.HostEnvironment;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Who called the program, and from where.
 *
 * @param environment the caller's environment
 * @param directory the directory that relative paths are taken from, absolute
 */
record Caller(Map<String, String> environment, Path directory) {

    Caller {
        environment = Map.copyOf(environment);
    }

    static Caller current() {
        return new Caller(HostEnvironment.all(), Path.of("").toAbsolutePath());
    }

    Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name));
    }

    /** Whether everything that may help to find a fault is to be shown. */
    boolean wantsDetails() {
        return !variable("PADDOCK_DEBUG").orElse("0").matches("0?");
    }
}
