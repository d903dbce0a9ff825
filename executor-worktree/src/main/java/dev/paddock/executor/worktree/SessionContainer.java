package dev.paddock.executor.worktree;

import dev.paddock.executor.process.supervise.HostSweep;
import java.util.Optional;

/**
 * A container in which a session ran commands: its processes are not the session's, and exit later than a killed JVM.
 * The journal records it, so that the next session waits for its end.
 *
 * @param id the engine's id, which the names of the container's control groups contain
 * @param engine the engine's address, without line breaks
 * @param visible whether this machine's process table shows the container's processes; not for an engine on another
 *     kernel
 */
public record SessionContainer(String id, String engine, boolean visible) {
    private static final String VISIBLE = "visible";
    private static final String HIDDEN = "hidden";

    /** Describes a running container. */
    public static SessionContainer running(String id, String engine) {
        return new SessionContainer(id, engine, HostSweep.isRunning(id));
    }

    /** Parses a line of the journal; empty if it is none. */
    static Optional<SessionContainer> parse(String line) {
        String[] words = line.split(" ", 3);
        boolean valid = words.length == 3 && (words[0].equals(VISIBLE) || words[0].equals(HIDDEN));
        return valid
                ? Optional.of(new SessionContainer(words[1], words[2], words[0].equals(VISIBLE)))
                : Optional.empty();
    }

    String line() {
        return (visible ? VISIBLE : HIDDEN) + " " + id + " " + engine;
    }
}
