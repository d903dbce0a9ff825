package dev.paddock.executor.protect;

import dev.paddock.executor.process.HostEnvironment;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;

/** Where files go that commands have put at protected paths, unless the integrator says otherwise. */
public final class Quarantine {
    private Quarantine() {}

    /**
     * {@code $XDG_STATE_HOME/paddock/quarantine}, which is below {@code ~/.local/state} if that variable is not set. A user
     * without a home gets a directory in the temporary one that nobody can have made before.
     *
     * @return an absolute path, of which nothing need exist
     */
    public static Path standard() {
        return standard(HostEnvironment.all(), System.getProperty("user.home", "?"));
    }

    static Path standard(Map<String, String> environment, String home) {
        Path state = Path.of(environment.getOrDefault("XDG_STATE_HOME", ""));
        // The XDG base directory specification: a path that is not absolute is to be ignored.
        Path base = state.isAbsolute() ? state : Path.of(home, ".local", "state");
        return base.isAbsolute()
                ? base.resolve("paddock").resolve("quarantine")
                : Path.of(System.getProperty("java.io.tmpdir"), "paddock-quarantine-" + UUID.randomUUID())
                        .toAbsolutePath();
    }
}
