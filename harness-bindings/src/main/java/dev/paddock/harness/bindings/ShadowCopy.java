package dev.paddock.harness.bindings;

import dev.paddock.harness.workspace.snapshot.TreeCopy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/** A copy of a container's root for its guests, removed with everything beside it. */
final class ShadowCopy implements AutoCloseable {
    /** The beginning of the temporary directory's name; the root's name follows. */
    static final String PREFIX = "agent-container-shadow-";

    private final Path parent;
    private final Path root;

    private ShadowCopy(Path parent, Path root) {
        this.parent = parent;
        this.root = root;
    }

    static ShadowCopy of(Path original) {
        String name = String.valueOf(original.getFileName());
        Path parent;
        try {
            parent = Files.createTempDirectory(PREFIX + name).toRealPath();
        } catch (IOException fault) {
            throw new UncheckedIOException(
                    "no temporary directory for a copy of '" + original + "' could be made: " + fault.getMessage(),
                    fault);
        }
        ShadowCopy copy = new ShadowCopy(parent, parent.resolve(name));
        try {
            TreeCopy.copy(original, copy.root);
            return copy;
        } catch (IOException | RuntimeException fault) {
            copy.close();
            throw fault instanceof RuntimeException unchecked
                    ? unchecked
                    : new UncheckedIOException(
                            "'" + original + "' could not be copied: " + fault.getMessage(), (IOException) fault);
        }
    }

    Path root() {
        return root;
    }

    @Override
    public void close() {
        try {
            Files.walkFileTree(parent, new Removal());
        } catch (IOException fault) {
            throw new UncheckedIOException(
                    "the copy '" + parent + "' could not be removed: " + fault.getMessage() + "; remove it yourself",
                    fault);
        }
    }

    private static final class Removal extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
            if (!Files.isWritable(directory) || !Files.isExecutable(directory) || !Files.isReadable(directory)) {
                Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path path, IOException fault) throws IOException {
            if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
                Files.walkFileTree(path, this);
                return FileVisitResult.CONTINUE;
            }
            throw fault;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException fault) throws IOException {
            if (fault != null) {
                throw fault;
            }
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
