package dev.paddock.executor.sandbox.worktree;

import dev.paddock.executor.sandbox.worktree.git.PathBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Owns the guard's directories: copies of protected files, a directory for watch markers, and the
 * quarantine.
 */
final class GuardStore implements AutoCloseable {
    private static final Logger LOG = System.getLogger(GuardStore.class.getName());

    /**
     * Larger files are not copied: the guard can move them to the quarantine but not restore them.
     * Protected files are settings, not data.
     */
    private static final long LARGEST_ORIGINAL = 16L << 20;

    private static final long MOST_FILES = 50_000;

    private final Path directory;
    private final Path copies;
    private final Path quarantine;
    private final Map<Path, Original> originals = new HashMap<>();
    private long numbers;

    /** A copy, and the state of the file that it is of; no copy if it could not be made. */
    private record Original(Fingerprint state, Optional<Path> copy) {}

    private GuardStore(Path directory, Path copies, Path quarantine) {
        this.directory = directory;
        this.copies = copies;
        this.quarantine = quarantine;
    }

    /**
     * Creates a store.
     *
     * @param journal the directory for the copies; if there is none they go with the guard
     */
    static GuardStore in(Path stateDirectory, Optional<Path> journal, Path quarantine) throws IOException {
        Path directory = Files.createTempDirectory(stateDirectory, "guard-");
        Files.createDirectory(directory.resolve("markers"));
        return new GuardStore(directory, journal.orElse(directory), quarantine);
    }

    Path markers() {
        return directory.resolve("markers");
    }

    /**
     * Copies the protected files that have changed since they were last copied, and forgets the
     * copies of paths that are no longer protected.
     *
     * @param current the states of all protected paths that exist or are remembered
     * @param territory returns the closest directory above a path whose own path no command can
     *     change
     */
    void keepOriginals(Map<Path, Fingerprint> current, UnaryOperator<Path> territory) {
        originals.keySet().retainAll(current.keySet());
        current.forEach((path, state) -> {
            Original kept = originals.get(path);
            if (kept == null || isOutdated(kept, path, state)) {
                originals.put(path, new Original(state, copyOf(path, territory.apply(path))));
            }
        });
    }

    /** A path that is remembered and does not exist keeps its copy: there is nothing to copy. */
    private static boolean isOutdated(Original kept, Path path, Fingerprint state) {
        return !(kept.state().matches(state) && kept.state().conclusive())
                && Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    /** Takes over the copies of a session that was killed. */
    void adopt(Map<Path, Path> copiesByPath, Map<Path, Fingerprint> states) {
        copiesByPath.forEach((path, copy) -> originals.put(
                path, new Original(states.getOrDefault(path, Fingerprint.ABSENT), Optional.of(copies.resolve(copy)))));
    }

    /** Returns the names of the copies, by the paths that they are of. */
    Map<Path, Path> copies() {
        Map<Path, Path> names = new HashMap<>();
        originals.forEach((path, original) -> original.copy().ifPresent(copy -> names.put(path, copy.getFileName())));
        return names;
    }

    private Path freeName() {
        Path copy = copies.resolve("original-" + numbers++);
        while (Files.exists(copy, LinkOption.NOFOLLOW_LINKS)) {
            copy = copies.resolve("original-" + numbers++);
        }
        return copy;
    }

    Optional<Path> original(Path path) {
        return Optional.ofNullable(originals.get(path)).flatMap(Original::copy);
    }

    /**
     * Returns whether a path has the content of its original. What cannot be read, and what has no
     * original, has not.
     */
    boolean isOriginal(Path root, Path path) {
        Optional<Path> original = original(path);
        if (original.isEmpty()) {
            return false;
        }
        Path name = path.getFileName();
        try (Pinned parent = Pinned.directory(root, Pinned.parentOf(path));
                Pinned now = parent.child(name);
                Pinned keptIn = Pinned.directory(copies, copies);
                Pinned kept = keptIn.child(original.get().getFileName())) {
            return Trees.same(now, kept);
        } catch (IOException unreadable) {
            LOG.log(Level.DEBUG, "{0} counts as changed: {1}", path, unreadable.getMessage());
            return false;
        }
    }

    /** Copies an original to an entry of a pinned directory that does not exist. */
    void restore(Path original, Pinned parent, Path name) throws IOException {
        try (Pinned keptIn = Pinned.directory(copies, copies);
                Pinned kept = keptIn.child(original.getFileName())) {
            Trees.copy(kept, parent.at(name), new Trees.Budget(Long.MAX_VALUE, Long.MAX_VALUE));
        }
    }

    /** Returns a name in the quarantine that no file has yet. */
    Path quarantined(Path name) throws IOException {
        Files.createDirectories(
                quarantine, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        return Files.createTempDirectory(quarantine, "").resolve(name);
    }

    /** Returns the quarantine, of which nothing need exist. */
    Path quarantine() {
        return quarantine;
    }

    private Optional<Path> copyOf(Path path, Path root) {
        Path copy = freeName();
        try (Pinned parent = Pinned.directory(root, Pinned.parentOf(path));
                Pinned source = parent.child(path.getFileName())) {
            Trees.copy(source, copy, new Trees.Budget(LARGEST_ORIGINAL, MOST_FILES));
            return Optional.of(copy);
        } catch (IOException fault) {
            LOG.log(
                    Level.WARNING,
                    "No copy of the protected path ''{0}'' can be kept, so that it could not be restored: {1}",
                    PathBytes.escaped(path),
                    fault.getMessage());
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        Path parent = Pinned.parentOf(directory);
        try (Pinned holder = Pinned.directory(parent, parent)) {
            Trees.delete(holder, directory.getFileName());
        } catch (IOException fault) {
            throw new UncheckedIOException("'" + directory + "' cannot be removed", fault);
        }
    }
}
