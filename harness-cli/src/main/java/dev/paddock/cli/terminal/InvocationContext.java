package dev.paddock.cli.terminal;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The caller's part of one call of the program; the program takes nothing from the JVM instead.
 *
 * @param environment the caller's environment
 * @param directory the directory that relative paths are resolved against, absolute
 * @param launcher the program that the caller has called, if it was a launcher
 * @param streams the standard streams
 * @param process the program's own process, or {@link ProcessControl#NONE}
 */
public record InvocationContext(
        Map<String, String> environment,
        Path directory,
        Optional<Path> launcher,
        Streams streams,
        ProcessControl process) {

    public InvocationContext {
        environment = Map.copyOf(environment);
    }

    public Optional<String> variable(String name) {
        return Optional.ofNullable(environment.get(name));
    }

    /** Returns whether a standard descriptor, 0 to 2, leads to a terminal of any kind. */
    public boolean leadsToTerminal(int descriptor) {
        return process.leadsToTerminal(descriptor);
    }

    /**
     * Returns whether a descriptor leads to a terminal that supports more than plain lines; false if the system does
     * not report it. The JDK does not help: newer versions have a console where there is no terminal.
     */
    public boolean isTerminal(int descriptor) {
        return !variable("TERM").orElse("dumb").equals("dumb") && leadsToTerminal(descriptor);
    }

    /** Returns whether to show debugging details, such as stack traces. */
    public boolean wantsDetails() {
        return !variable("PADDOCK_DEBUG").orElse("0").matches("0?");
    }
}
