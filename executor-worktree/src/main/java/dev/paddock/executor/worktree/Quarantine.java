package dev.paddock.executor.worktree;

import dev.paddock.executor.os.state.StateHome;
import dev.paddock.executor.process.launch.HostEnvironment;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;

/** Locates the default quarantine, the directory for files that commands have put at protected paths. */
public final class Quarantine {
    private Quarantine() {}

    /**
     * Returns {@code $XDG_STATE_HOME/paddock/quarantine}, by default below {@code ~/.local/state}. For a user without a
     * home it is in the temporary directory, with an unguessable name.
     *
     * @return an absolute path, which need not exist
     */
    public static Path standard() {
        return standard(HostEnvironment.all(), System.getProperty("user.home", "?"));
    }

    static Path standard(Map<String, String> environment, String home) {
        return StateHome.of(environment, home)
                .map(state -> state.resolve("quarantine"))
                .orElseGet(
                        () -> Path.of(System.getProperty("java.io.tmpdir"), "paddock-quarantine-" + UUID.randomUUID())
                                .toAbsolutePath());
    }
}
