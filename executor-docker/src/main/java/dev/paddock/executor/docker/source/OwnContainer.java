package dev.paddock.executor.docker.source;

import com.fasterxml.jackson.databind.JsonNode;
import dev.paddock.executor.docker.engine.Engine;
import dev.paddock.executor.log.LateLogger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The container of this program, where the engine that runs it is the one that it uses, through a mounted socket. The
 * engine resolves the directories to mount on its own machine.
 */
public final class OwnContainer {
    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");

    /** Docker and Podman mount a file of their own, whose path has the container's id. */
    private static final Pattern HOST_NAME =
            Pattern.compile("\\S+ \\S+ \\S+ \\S*/(?:overlay-)?containers/([0-9a-f]{64})/\\S* /etc/hostname .*");

    private static final System.Logger LOG = LateLogger.of(OwnContainer.class);

    private OwnContainer() {}

    /** Warns if the engine would mount another directory instead of a worktree. */
    static void warn(Engine engine, Path worktree) {
        if (!engine.isLocal() || !Files.isReadable(MOUNTS)) {
            return;
        }
        try (Stream<String> mounts = Files.lines(MOUNTS)) {
            id(mounts)
                    .flatMap(own -> mismatch(engine, own, worktree))
                    .ifPresent(text -> LOG.log(System.Logger.Level.WARNING, text));
        } catch (IOException fault) {
            LOG.log(System.Logger.Level.DEBUG, MOUNTS + " cannot be read", fault);
        }
    }

    /**
     * Returns the id of the container with these mounts; empty outside a container, where the mounts of every container
     * may be listed.
     */
    static Optional<String> id(Stream<String> mounts) {
        return mounts.map(HOST_NAME::matcher)
                .filter(Matcher::matches)
                .findFirst()
                .map(line -> line.group(1));
    }

    /**
     * Returns the problem if the engine runs a container, and a directory in it is not the one of the same path on the
     * engine's machine.
     */
    public static Optional<String> mismatch(Engine engine, String container, Path directory) {
        return engine.ask("/containers/" + container + "/json")
                .flatMap(seen -> mismatch(seen.path("Mounts"), directory));
    }

    static Optional<String> mismatch(JsonNode mounts, Path directory) {
        int depth = -1;
        Path there = Path.of("/");
        for (JsonNode mount : mounts) {
            Path target = Path.of(mount.path("Destination").asText());
            String source = mount.path("Source").asText(); // empty for one in memory
            if (directory.startsWith(target) && target.getNameCount() > depth && !source.isEmpty()) {
                depth = target.getNameCount();
                there = Path.of(source).resolve(target.relativize(directory));
            }
        }
        if (depth < 0) {
            return Optional.of("the worktree '" + directory + "' is a directory of the container that runs Paddock, and"
                    + " the engine mounts that of its own machine. Mount one of the machine's at the same path in both:"
                    + " docker run -v DIR:DIR -w DIR.");
        }
        return there.equals(directory)
                ? Optional.empty()
                : Optional.of("the worktree '" + directory + "' is '" + there + "' on the engine's machine, and the"
                        + " engine mounts '" + directory + "' of that machine: another directory, or none. Give the"
                        + " container that runs Paddock the same path: docker run -v '" + there + ":" + there + "' -w '"
                        + there + "'.");
    }
}
