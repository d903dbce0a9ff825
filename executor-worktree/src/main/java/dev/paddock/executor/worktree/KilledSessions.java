package dev.paddock.executor.worktree;

import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.process.supervise.HostSweep;
import dev.paddock.executor.worktree.journal.Sessions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The leftovers of killed sessions: their unsettled changes, and their processes, which are ended first, since a
 * process could still write during settlement.
 *
 * @param accepted the paths whose state the user has accepted since
 * @param seenAlive when processes of the commands were last seen, in milliseconds since 1970; 0 if none were
 */
record KilledSessions(List<Part> parts, Set<Path> accepted, long seenAlive) {
    /** How long the processes may take to exit: longer than C12 allows. */
    private static final Duration DYING = Duration.ofSeconds(8);

    /**
     * The changes in one directory.
     *
     * @param scope the paths that the snapshot decides on
     * @param since a time after the snapshot and before the commands, in milliseconds since 1970
     * @param lastBeat when the commands were surely live, in milliseconds since 1970
     */
    record Part(Predicate<Path> scope, Snapshot snapshot, long since, long lastBeat) {}

    boolean covers(Path path) {
        return parts.stream().anyMatch(part -> part.scope().test(path));
    }

    /** Returns a time before all commands, in milliseconds since 1970. */
    long since() {
        return parts.stream().mapToLong(Part::since).min().orElse(0);
    }

    /** Returns the last time at which commands that could change a path were surely live. */
    long lastBeat(Path path) {
        return parts.stream().filter(part -> part.scope().test(path)).mapToLong(Part::lastBeat).max().stream()
                .map(beat -> Math.max(beat, seenAlive))
                .findFirst()
                .orElse(0);
    }

    Snapshot snapshot() {
        return parts.stream().map(part -> part.snapshot().of(part.scope())).reduce(Snapshot.NONE, Snapshot::and);
    }

    /**
     * Kills the processes and waits for their exit: after a JVM was killed, its reaper takes a moment to kill them, as
     * does a container.
     *
     * @param dead the sessions' records about themselves
     * @param worktree the worktree, for messages
     * @param journals end a container that this machine does not show
     * @return the present, in milliseconds since 1970, if there were any processes; else 0
     * @throws IOException if some have not exited: they may change the worktree once more
     */
    static long end(Set<Sessions.Owner> dead, Path worktree, Journals journals) throws IOException {
        if (dead.isEmpty()) {
            return 0;
        }
        Set<String> jvms = dead.stream().map(Sessions.Owner::jvm).collect(Collectors.toSet());
        HostSweep.Ended here = HostSweep.awaitEnd(
                owner -> jvms.contains(owner.toString()), containers(dead, worktree, journals), DYING);
        if (!here.left().isEmpty()) {
            String whereabouts = here.containers().isEmpty()
                    ? "or processes that these wait for"
                    : "in the container " + String.join(", ", here.containers())
                            + ", which may be paused; to remove it, run docker rm -f, or podman rm -f";
            throw new IOException("a session was killed in '" + PathBytes.escaped(worktree)
                    + "', and its processes have"
                    + " not exited after being killed: " + here.left() + ", " + whereabouts + ". They may still change"
                    + " files there: wait for their end, or restart the machine");
        }
        return here.any() ? System.currentTimeMillis() : 0;
    }

    /** Returns the ids of the containers that this machine shows, after ending the others. */
    private static Set<String> containers(Set<Sessions.Owner> dead, Path worktree, Journals journals)
            throws IOException {
        Set<String> visible = new HashSet<>();
        for (Sessions.Owner session : dead) {
            for (String note : session.notes()) {
                SessionContainer container = SessionContainer.parse(note)
                        .orElseThrow(() -> new IOException("the journal's file '" + session.file()
                                + "' has an invalid container line: '" + note + "'; end the containers that the"
                                + " killed session has left, if any, and remove that line"));
                if (container.visible()) {
                    visible.add(container.id());
                } else if (!journals.end(container)) {
                    throw new IOException("a session was killed in '" + PathBytes.escaped(worktree)
                            + "' that ran commands in the container " + container.id() + " of the engine at "
                            + container.engine() + ", whose processes are not visible from here and may still change"
                            + " files: run a command with that engine in this worktree, which removes the container, or"
                            + " remove it (docker rm -f " + container.id()
                            + ", or podman rm -f), and then the line that names it in '"
                            + session.file() + "'");
                }
            }
        }
        return visible;
    }
}
