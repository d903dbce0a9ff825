package dev.paddock.harness;

import dev.paddock.executor.caller.CallerEnvironment;
import java.nio.file.Path;
import java.util.Map;

/**
 * Provides the user's state directory and the caller's environment.
 */
final class UserState {
    private UserState() {}

    /**
     * Returns {@code $XDG_STATE_HOME/paddock}, or {@code ~/.local/state/paddock} if the variable is
     * unset or not absolute.
     */
    static Path directory() {
        String configured = environment().get("XDG_STATE_HOME");
        // The XDG base directory specification: ignore relative paths.
        Path base = configured != null && Path.of(configured).isAbsolute()
                ? Path.of(configured)
                : Path.of(System.getProperty("user.home"), ".local", "state");
        return base.resolve("paddock");
    }

    static Map<String, String> environment() {
        return CallerEnvironment.variables();
    }
}
