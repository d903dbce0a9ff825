package dev.paddock.cli.terminal;

import dev.paddock.executor.process.launch.HostEnvironment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Holds the caller's environment and directory.
 *
 * @param environment the caller's environment
 * @param directory the directory that relative paths are resolved against, absolute
 */
public record InvocationContext(Map<String, String> environment, Path directory) {
    /** Variables by which a caller adds options to a JVM, and so perhaps what writes at its end. */
    private static final List<String> JVM_OPTIONS = List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    public InvocationContext {
        environment = Map.copyOf(environment);
    }

    public static InvocationContext current() {
        return new InvocationContext(HostEnvironment.all(), Path.of("").toAbsolutePath());
    }

    public Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name));
    }

    /** Returns the launcher that has started this JVM; build/launcher.sh names it. */
    public static Optional<String> launcher() {
        String path = System.getProperty("paddock.launcher", "");
        return path.isEmpty() ? Optional.empty() : Optional.of(path);
    }

    /** Returns whether the launcher alone has chosen the JVM's options. Without lambdas: no class cache has them. */
    public boolean hasLaunchersOptions() {
        for (String variable : JVM_OPTIONS) {
            if (environment.containsKey(variable)) {
                return false;
            }
        }
        return launcher().isPresent();
    }

    /** Returns whether to show details that help to find a fault, such as stack traces. */
    public boolean wantsDetails() {
        return !variable("PADDOCK_DEBUG").orElse("0").matches("0?");
    }
}
