package dev.paddock.executor.worktree;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.worktree.files.FileStatus;
import dev.paddock.executor.worktree.git.SubmoduleConfiguration;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Keeps copies of submodules' configurations, which sandboxes mount over the originals. */
final class ShownConfigurations {
    private static final Logger LOG = LateLogger.of(ShownConfigurations.class);

    private final Path directory;
    private final Map<Path, Copy> copies = new HashMap<>();

    /**
     * A copy.
     *
     * @param state of the file when it was copied
     * @param file empty if the file itself is shown
     */
    private record Copy(String state, Optional<Path> file) {}

    /**
     * Creates an empty store.
     *
     * @param directory receives the copies; this JVM's own
     */
    ShownConfigurations(Path directory) {
        this.directory = directory;
    }

    /** Returns the files to mount over those that git would have to write, by the paths of these. */
    Map<Path, Path> of(Collection<Path> paths) {
        Map<Path, Path> shown = new TreeMap<>();
        for (Path path : paths) {
            if (SubmoduleConfiguration.isNamed(path)) {
                copy(path).ifPresent(copy -> shown.put(path, copy));
            }
        }
        copies.keySet().retainAll(paths);
        return shown;
    }

    private Optional<Path> copy(Path path) {
        String state = state(path);
        Copy known = copies.get(path);
        if (known == null || !known.state().equals(state)) {
            known = new Copy(state, SubmoduleConfiguration.withoutWorktree(path).flatMap(this::write));
            copies.put(path, known);
        }
        return known.file();
    }

    private static String state(Path path) {
        try {
            return FileStatus.of(path)
                    .map(status -> status.identity() + " " + status.changed())
                    .orElse("");
        } catch (IOException unreadable) {
            return "";
        }
    }

    private Optional<Path> write(String content) {
        try {
            Path copy = Files.createTempFile(directory, "config-", "");
            Files.writeString(copy, content, StandardCharsets.ISO_8859_1);
            // The user of a container's commands may be another.
            Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("r--r--r--"));
            return Optional.of(copy);
        } catch (IOException fault) {
            LOG.log(
                    Level.WARNING,
                    () -> "git submodule update will fail: a submodule's configuration cannot be copied to " + directory
                            + ": " + FileFaults.reason(fault));
            return Optional.empty();
        }
    }
}
