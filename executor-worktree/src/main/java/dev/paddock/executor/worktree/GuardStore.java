package dev.paddock.executor.worktree;

import dev.paddock.executor.log.LateLogger;
import dev.paddock.executor.os.file.Pinned;
import dev.paddock.executor.path.FileFaults;
import dev.paddock.executor.path.PathBytes;
import dev.paddock.executor.worktree.files.Fingerprint;
import dev.paddock.executor.worktree.files.Trees;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Copies protected files to the journal's directory, and names files in the quarantine. */
final class GuardStore {
    private static final Logger LOG = LateLogger.of(GuardStore.class);

    /**
     * Larger files are not copied: the guard can quarantine but not restore them. Protected files are settings, not
     * data.
     */
    private static final long MAX_ORIGINAL_BYTES = 16L << 20;

    private static final long MAX_FILES = 50_000;

    private final Path copies;
    private final Path quarantine;
    private final Map<Path, Original> originals = new HashMap<>();

    /**
     * A copy and the state of its original.
     *
     * @param copy empty if it could not be made
     */
    private record Original(Fingerprint state, Optional<Path> copy) {}

    /**
     * Creates an empty store.
     *
     * @param copies the journal's directory for the copies
     * @param quarantine receives moved files; created when needed
     */
    GuardStore(Path copies, Path quarantine) {
        this.copies = copies;
        this.quarantine = quarantine;
    }

    /**
     * Copies the protected files that have changed since their last copy, and forgets the copies of paths that are no
     * longer protected.
     *
     * @param current the states of all protected paths that exist or are remembered; the first one of a path counts
     * @param territory returns the closest ancestor of a path whose own path no command can change
     * @param adopted whether the copy of a path is another session's, since its commands are live
     */
    void keepOriginals(List<Map<Path, Fingerprint>> current, UnaryOperator<Path> territory, Predicate<Path> adopted) {
        originals.keySet().removeIf(path -> current.stream().noneMatch(states -> states.containsKey(path)));
        Set<Path> seen = new HashSet<>();
        for (Map<Path, Fingerprint> states : current) {
            states.forEach((path, state) -> {
                if (seen.add(path) && !adopted.test(path)) {
                    keepOriginal(path, state, territory);
                }
            });
        }
    }

    private void keepOriginal(Path path, Fingerprint state, UnaryOperator<Path> territory) {
        Original kept = originals.get(path);
        boolean outdated = kept == null || !kept.state().equals(state);
        // A remembered path that does not exist keeps its copy.
        if (kept == null || (outdated && Files.exists(path, LinkOption.NOFOLLOW_LINKS))) {
            originals.put(path, new Original(state, copyOf(path, territory.apply(path))));
        }
    }

    void adopt(Map<Path, Path> copiesByPath, Map<Path, Fingerprint> states) {
        copiesByPath.forEach((path, copy) ->
                originals.put(path, new Original(states.getOrDefault(path, Fingerprint.ABSENT), Optional.of(copy))));
    }

    /** Forgets the copies in a directory, which another session may have removed. */
    void forget(Path journal) {
        originals
                .values()
                .removeIf(original ->
                        original.copy().filter(copy -> copy.startsWith(journal)).isPresent());
    }

    Map<Path, Path> copies() {
        Map<Path, Path> files = new HashMap<>();
        originals.forEach((path, original) -> original.copy().ifPresent(copy -> files.put(path, copy)));
        return files;
    }

    /** Returns an unused name for a copy. */
    static Path freeName(Path directory, long first) {
        long number = first;
        Path copy = directory.resolve("original-" + number);
        while (Files.exists(copy, LinkOption.NOFOLLOW_LINKS)) {
            number++;
            copy = directory.resolve("original-" + number);
        }
        return copy;
    }

    /** Copies a copy to a new entry of a directory. */
    static void duplicate(Path copy, Pinned directory, Path name) throws IOException {
        Path parent = Pinned.parentOf(copy);
        try (Pinned keptIn = Pinned.directory(parent, parent);
                Pinned kept = keptIn.child(copy.getFileName())) {
            Trees.copy(kept, directory, name, new Trees.Budget(Long.MAX_VALUE, Long.MAX_VALUE));
        }
    }

    static void delete(Path path) throws IOException {
        Path parent = Pinned.parentOf(path);
        try (Pinned holder = Pinned.directory(parent, parent)) {
            holder.remove(path.getFileName());
        }
    }

    Optional<Path> original(Path path) {
        return Optional.ofNullable(originals.get(path)).flatMap(Original::copy);
    }

    Path quarantined(Path name) throws IOException {
        Files.createDirectories(
                quarantine, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        return Files.createTempDirectory(quarantine, "").resolve(name);
    }

    /** Removes the remains of a failed copy from the quarantine, with their directory. */
    void discard(Path quarantined) throws IOException {
        delete(Pinned.parentOf(quarantined));
    }

    /** Returns the quarantine, which need not exist. */
    Path quarantine() {
        return quarantine;
    }

    private Optional<Path> copyOf(Path path, Path root) {
        Path copy = freeName(copies, originals.size());
        try (Pinned parent = Pinned.directory(root, Pinned.parentOf(path));
                Pinned source = parent.child(path.getFileName());
                Pinned kept = Pinned.directory(copies, copies)) {
            if (source.attributes().isOther()) {
                throw new IOException("it is a pipe, a socket or a device");
            }
            Trees.copy(source, kept, copy.getFileName(), new Trees.Budget(MAX_ORIGINAL_BYTES, MAX_FILES));
            return Optional.of(copy);
        } catch (IOException fault) {
            LOG.log(
                    Level.WARNING,
                    "No copy of the protected path ''{0}'' can be kept, so that it could not be restored: {1}",
                    PathBytes.escaped(path),
                    FileFaults.reason(fault));
            return Optional.empty();
        }
    }
}
