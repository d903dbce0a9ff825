package dev.paddock.executor.sandbox.worktree;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Owns the guard's directories: copies of protected files, a directory for watch markers, and the
 * quarantine.
 */
final class GuardStore implements AutoCloseable {

    /**
     * Larger files are not copied: the guard can move them to the quarantine but not restore them.
     * Protected files are settings, not data.
     */
    private static final long LARGEST_ORIGINAL = 16L << 20;

    private final Path directory;
    private final Path quarantine;
    private final Map<Path, Original> originals = new HashMap<>();
    private long numbers;

    private record Original(Fingerprint state, Path copy) {}

    private GuardStore(Path directory, Path quarantine) {
        this.directory = directory;
        this.quarantine = quarantine;
    }

    static GuardStore in(Path stateDirectory, Path quarantine) throws IOException {
        Path directory = Files.createTempDirectory(stateDirectory, "guard-");
        Files.createDirectory(directory.resolve("beacon"));
        return new GuardStore(directory, quarantine);
    }

    Path beacon() {
        return directory.resolve("beacon");
    }

    /**
     * Copies the protected files that have changed since they were last copied, and forgets the
     * copies of paths that are no longer protected.
     */
    void keepOriginals(Map<Path, Fingerprint> current) {
        originals.keySet().retainAll(current.keySet());
        current.forEach((path, state) -> {
            Original kept = originals.get(path);
            if (kept == null || !kept.state().equals(state)) {
                originals.remove(path);
                copyOf(path).ifPresent(copy -> originals.put(path, new Original(state, copy)));
            }
        });
    }

    Optional<Path> original(Path path) {
        return Optional.ofNullable(originals.get(path)).map(Original::copy);
    }

    /** Returns a name in the quarantine that no file has yet. */
    Path quarantined(Path name) throws IOException {
        Files.createDirectories(
                quarantine, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        return Files.createTempDirectory(quarantine, "").resolve(name.getFileName());
    }

    private Optional<Path> copyOf(Path path) {
        Path copy = directory.resolve("original-" + numbers++);
        try {
            if (sizeOf(path) > LARGEST_ORIGINAL) {
                return Optional.empty();
            }
            Files.walkFileTree(path, new Copier(path, copy));
            return Optional.of(copy);
        } catch (IOException fault) {
            throw new UncheckedIOException("no copy can be kept of the protected path '" + path + "'", fault);
        }
    }

    private static long sizeOf(Path path) throws IOException {
        try (Stream<Path> files = Files.walk(path)) {
            long total = 0;
            for (Path file : (Iterable<Path>) files::iterator) {
                total += Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) ? Files.size(file) : 0;
            }
            return total;
        }
    }

    private static final class Copier extends SimpleFileVisitor<Path> {
        private final Path source;
        private final Path target;

        Copier(Path source, Path target) {
            this.source = source;
            this.target = target;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path from, BasicFileAttributes attributes) throws IOException {
            copy(from);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path from, BasicFileAttributes attributes) throws IOException {
            if (attributes.isRegularFile() || attributes.isSymbolicLink()) {
                copy(from);
            }
            return FileVisitResult.CONTINUE;
        }

        private void copy(Path from) throws IOException {
            Files.copy(
                    from,
                    target.resolve(source.relativize(from).toString()),
                    StandardCopyOption.COPY_ATTRIBUTES,
                    LinkOption.NOFOLLOW_LINKS);
        }
    }

    @Override
    public void close() {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : (Iterable<Path>) all.sorted(Comparator.reverseOrder())::iterator) {
                Files.delete(path);
            }
        } catch (IOException fault) {
            throw new UncheckedIOException("'" + directory + "' cannot be removed", fault);
        }
    }
}
