package dev.paddock.harness;

import java.nio.file.Path;

/** Where the user's programs keep their state. The one class of this module that reads the environment. */
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
}
