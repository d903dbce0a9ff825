package dev.paddock.harness;

import java.nio.file.Path;
import java.util.Map;

/** What is the user's: where programs keep their state, and the environment, which this class of the module alone reads. */
final class UserState {
    private UserState() {}

    /** {@code $XDG_STATE_HOME/paddock}, which is {@code ~/.local/state/paddock} if that is not set. */
    static Path directory() {
        String configured = System.getenv("XDG_STATE_HOME");
        // The XDG base directory specification: a path that is not absolute is to be ignored.
        Path base = configured != null && Path.of(configured).isAbsolute()
                ? Path.of(configured)
                : Path.of(System.getProperty("user.home"), ".local", "state");
        return base.resolve("paddock");
    }

    static Map<String, String> environment() {
        return System.getenv();
    }
}
