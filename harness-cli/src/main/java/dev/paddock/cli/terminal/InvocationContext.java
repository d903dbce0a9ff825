package dev.paddock.cli.terminal;

import dev.paddock.executor.process.launch.HostEnvironment;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Holds the caller's environment and directory.
 *
 * @param environment the caller's environment
 * @param directory the directory that relative paths are resolved against, absolute
 */
public record InvocationContext(Map<String, String> environment, Path directory) {

    public InvocationContext {
        environment = Map.copyOf(environment);
    }

    public static InvocationContext current() {
        return new InvocationContext(HostEnvironment.all(), Path.of("").toAbsolutePath());
    }

    public Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name));
    }

    /** Returns whether to show details that help to find a fault, such as stack traces. */
    public boolean wantsDetails() {
        return !variable("PADDOCK_DEBUG").orElse("0").matches("0?");
    }
}
