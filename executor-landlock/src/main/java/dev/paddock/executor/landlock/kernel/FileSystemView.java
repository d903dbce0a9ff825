package dev.paddock.executor.landlock.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the file at a path: a Landlock rule applies to the file that exists when the rule is made, not to the path. */
public interface FileSystemView {

    /** The host's file system. */
    FileSystemView HOST = new OfHost();

    /**
     * A file or directory.
     *
     * @param identity distinguishes it from any other file at the same path at another time
     */
    record Entry(boolean directory, Object identity) {
        // Written out: the JDK would generate it in each JVM, at the first comparison.
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Entry that && directory == that.directory && identity.equals(that.identity);
        }

        @Override
        public int hashCode() {
            return 31 * Boolean.hashCode(directory) + identity.hashCode();
        }
    }

    /** Returns the file at a path, following links; empty if none exists, or it cannot be reached. */
    Optional<Entry> at(String path);

    /** Returns the path without links; the path itself, if no file exists there. */
    Path real(Path path);

    final class OfHost implements FileSystemView {

        private OfHost() {}

        @Override
        public Optional<Entry> at(String path) {
            try {
                BasicFileAttributes attributes = Files.readAttributes(Path.of(path), BasicFileAttributes.class);
                Object key = attributes.fileKey();
                return Optional.of(new Entry(attributes.isDirectory(), key == null ? path : key));
            } catch (IOException absent) {
                return Optional.empty();
            }
        }

        @Override
        public Path real(Path path) {
            try {
                return path.toRealPath();
            } catch (IOException absent) {
                return path;
            }
        }
    }
}
